//! The page: well-formed, self-contained, complete; and what a browser makes of it.

mod common;

use std::{
    fs,
    process::{Command, Stdio},
};

use common::{certificate, solved};
use roxmltree::{Document, Node, ParsingOptions};
use tmd_core::{Breakpoints, Interrupt};
use tmd_driver::{Certificate, certificate::Effort};
use tmd_report::html::page;

fn parsed(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
        .unwrap()
}

fn all<'a>(document: &'a Document, tag: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.tag_name().name() == tag).collect()
}

fn classes<'a>(document: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

/// All text below a node, without white space.
fn text(node: Node) -> String {
    let text = node.descendants().filter(Node::is_text).filter_map(|node| node.text());
    text.flat_map(str::chars).filter(|character| !character.is_whitespace()).collect()
}

#[test]
fn a_page_says_all_that_there_is() {
    let certificate = solved("exp", Breakpoints::All);
    let page = page(&certificate, "exp & co.json").unwrap();
    let document = parsed(&page);
    let headings: Vec<_> = all(&document, "h2").into_iter().filter_map(|node| node.text()).collect();
    let expected = [
        "Hardness to round",
        "Hardness, binade by binade",
        "Distances against the expected law",
        "Cases found and expected, binade by binade",
        "Time, binade by binade",
        "The 20 hardest",
        "What is covered",
        "Exact results",
        "How to check this",
    ];
    assert_eq!(headings, expected);
    assert_eq!(classes(&document, "plot wide").len(), 4);
    assert_eq!(classes(&document, "plot narrow").len(), 4);
    assert!(classes(&document, "alarm").is_empty());
    for (x, y) in [("hardest to round", "h1"), ("tmd verify exp & co.json", "pre")] {
        assert!(all(&document, y)[0].text().unwrap().contains(x));
    }
    for case in certificate.hardest(20) {
        assert!(page.contains(&format!("<td class=\"x\">{}</td><td>{}</td>", case.x, case.kind)));
    }
    assert!(page.contains(&certificate.digest));
    // the thresholds of overflow and of 1 − tiny, as inequalities
    let body = text(document.root_element());
    assert!(body.contains("beyondallnumbers") && body.contains("0x1.ffep-1<f(x)<0x1p+0"), "{body}");
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&solved("sin", Breakpoints::Directed), "sin.json").unwrap();
    let document = parsed(&page);
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "link", "img", "iframe", "object"].contains(&node.tag_name().name()));
        assert!(node.attributes().all(|attribute| !["src", "href"].contains(&attribute.name())));
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    // addresses are names of namespaces only
    assert_eq!(page.matches("://").count(), page.matches(" xmlns=\"http://www.w3.org/").count());
    // every color of the plots that is not for both has another one in the dark
    let dark = &page[page.find("prefers-color-scheme: dark").unwrap()..page.find("</style>").unwrap()];
    for node in all(&document, "svg").into_iter().flat_map(|svg| svg.descendants()) {
        for name in ["fill", "stroke"] {
            let color = node
                .attribute(name)
                .filter(|color| color.starts_with('#') && node.attribute("opacity") != Some("0"));
            if let Some(color) = color {
                assert!(dark.contains(&format!("[{name}=\"{color}\"]")), "{name} {color}");
            }
        }
    }
}

#[test]
fn what_is_missing_is_in_a_box() {
    let interrupted = Interrupt::new();
    interrupted.request();
    for (certificate, words) in [
        (certificate("exp", Breakpoints::All, f64::INFINITY, &interrupted), "PARTIAL: 0 of "),
        (certificate("exp", Breakpoints::All, 1e-300, &Interrupt::new()), "a search would take too long"),
    ] {
        let page = page(&certificate, "exp.json").unwrap();
        let document = parsed(&page);
        let boxes = classes(&document, "alarm");
        assert_eq!(boxes.len(), 1);
        let said = text(boxes[0]);
        assert!(said.contains("NOTCOVERED:") && said.contains(&words.replace(' ', "")), "{said}");
        assert!(!page.contains("Hardness to round"), "of nothing");
        assert!(page.contains("There are no cases.") && page.contains("Nothing was searched."));
    }
    let mut timeless = solved("exp", Breakpoints::All);
    timeless.effort = Effort::default();
    let page = page(&timeless, "exp.json").unwrap();
    assert!(page.contains("The certificate says nothing about the time that was spent."));
    assert_eq!(classes(&parsed(&page), "plot wide").len(), 3);
}

/// A certificate with as many binades as log has in binary64, each with the cases of one of binary16.
fn long() -> Certificate {
    let mut certificate = solved("log", Breakpoints::All);
    let of_one = |x: &str| x.ends_with("p+3");
    let unit = certificate.units.iter().find(|unit| of_one(&unit.first)).unwrap().clone();
    let region = certificate.regions[unit.region].clone();
    let cases: Vec<_> = certificate.cases.iter().filter(|case| of_one(&case.x)).cloned().collect();
    assert!(cases.len() > 4);
    (certificate.regions, certificate.units, certificate.cases) = Default::default();
    for (index, exponent) in (-1022..1024).enumerate() {
        let moved = |x: &String| x.replace("p+3", &format!("p{exponent:+}"));
        let (first, last) = (moved(&region.first), moved(&region.last));
        let mut region = region.clone();
        (region.first, region.last, region.units) = (first.clone(), last, Some(1));
        certificate.regions.push(region);
        certificate.units.push(tmd_driver::certificate::UnitRecord { region: index, first, ..unit.clone() });
        certificate.cases.extend(cases.iter().map(|case| {
            let mut case = case.clone();
            case.x = moved(&case.x);
            case
        }));
    }
    certificate.effort.unit_s = vec![0.5; 2046];
    certificate.effort.planned_s = vec![0.4; 2046];
    certificate
}

#[test]
fn two_thousand_binades_are_legible() {
    let page = page(&long(), "log.json").unwrap();
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    let document = parsed(&page);
    let plots = classes(&document, "plot wide");
    assert_eq!(plots.len(), 4);
    for plot in plots {
        let marks = plot.descendants().filter(|node| node.tag_name().name() == "circle").count();
        assert!(marks <= 2 * 128, "{marks} marks of at most two series");
    }
    assert_eq!(page.matches("Each point stands for 16 neighboring binades.").count(), 3);
    // neighbors of which the same is known share a line
    assert!(page.contains("<td class=\"x\">0x1p-1022</td>"));
    assert!(all(&document, "tr").len() < 30);
}

/// A browser of this machine.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

#[test]
fn a_browser_shows_the_text_and_the_plots() {
    let Some(browser) = browser() else {
        let demand = std::env::var("TMD_BROWSER").unwrap_or_default();
        assert_ne!(demand, "require", "there is no chromium; TMD_BROWSER=auto goes on without");
        println!("skipped: no chromium on this machine");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let page = page(&solved("sin", Breakpoints::All), "sin.json").unwrap();
    fs::write(&path, &page).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", path.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dump = String::from_utf8(output.stdout).unwrap();
    assert!(dump.contains("<body>"), "{}", String::from_utf8_lossy(&output.stderr));
    let document = parsed(&page);
    // the browser's text, tags taken out and characters unescaped, is the text that an XML parser reads
    let body = &dump[dump.find("<body>").unwrap()..];
    let mut shown = String::new();
    for part in body.split('<').skip(1) {
        shown += part.split_once('>').map_or("", |(_, text)| text);
    }
    let shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let shown: String = shown.chars().filter(|character| !character.is_whitespace()).collect();
    assert_eq!(shown, text(all(&document, "body")[0]));
    for tag in ["svg", "circle", "polyline", "polygon", "td"] {
        assert_eq!(
            dump.matches(&format!("<{tag} ")).count() + dump.matches(&format!("<{tag}>")).count(),
            all(&document, tag).len()
        );
    }
}
