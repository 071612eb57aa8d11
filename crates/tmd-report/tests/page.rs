//! The page: well-formed, self-contained, complete; and what a browser makes of it.

mod common;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use common::{interrupted, out_of_reach, solved};
use roxmltree::{Document, Node, ParsingOptions};
use tmd_core::Breakpoints;
use tmd_driver::{Certificate, certificate::Effort};
use tmd_report::{html::page, list::Listing};

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
        "The 20 hardest in directed rounding",
        "The 20 hardest in rounding to nearest",
        "The 20 hardest next to 0",
        "What is covered",
        "Exact results",
        "The data",
        "How to check this",
    ];
    assert_eq!(headings, expected);
    assert_eq!(classes(&document, "plot wide").len(), 4);
    assert_eq!(classes(&document, "plot narrow").len(), 4);
    assert!(classes(&document, "alarm").is_empty());
    assert!(all(&document, "h1")[0].text().unwrap().contains("hardest to round"));
    let commands: Vec<_> = all(&document, "pre").into_iter().filter_map(|node| node.text()).collect();
    assert_eq!(commands, ["tmd export exp & co.json --output csv", "tmd verify exp & co.json"]);
    assert!(page.contains(&certificate.digest));
    // the thresholds of overflow and of 1 − tiny, as inequalities
    let body = text(document.root_element());
    assert!(body.contains("beyondallnumbers") && body.contains("0x1.ffep-1<f(x)<0x1p+0"), "{body}");
}

/// The arguments in the table below a heading.
fn listed(document: &Document, heading: &str) -> Vec<String> {
    let sections = all(document, "section");
    let is_below = |section: &&Node| section.descendants().any(|node| node.text() == Some(heading));
    let Some(section) = sections.iter().find(is_below) else { return Vec::new() };
    let rows = section.descendants().filter(|node| node.tag_name().name() == "tr");
    rows.filter_map(|row| row.children().find(|cell| cell.attribute("class") == Some("x")))
        .map(|cell| text(cell))
        .collect()
}

/// Next to 0 exp is 1 + x + x²/2, and cases abound; elsewhere the hardest of each kind are those of
/// the whole list.
#[test]
fn the_hardest_are_listed_by_kind_and_apart_from_zero() {
    let certificate = solved("exp", Breakpoints::All);
    let page = page(&certificate, "exp.json").unwrap();
    let document = parsed(&page);
    let value = |x: &str| tmd_report::number::number(x).unwrap().to_f64().abs();
    let next_to_zero = listed(&document, "The 20 hardest next to 0");
    assert_eq!(next_to_zero.len(), 20);
    // 2^-⌈11/4⌉
    assert!(next_to_zero.iter().all(|x| value(x) < 0.125), "{next_to_zero:?}");
    for (kind, heading) in [
        ("number", "The 20 hardest in directed rounding"),
        ("midpoint", "The 20 hardest in rounding to nearest"),
    ] {
        let cases = certificate.hardest(usize::MAX).into_iter().filter(|case| case.kind == kind);
        let expected: Vec<&String> =
            cases.map(|case| &case.x).filter(|x| value(x) >= 0.125).take(20).collect();
        assert_eq!(listed(&document, heading).iter().collect::<Vec<_>>(), expected);
    }
    assert_ne!(certificate.hardest(1)[0].x, listed(&document, "The 20 hardest in directed rounding")[0]);
}

/// Cases that are mirrored or scaled are the same work for whoever reads: they count once.
#[test]
fn repeated_cases_count_once() {
    for (function, signs) in [("cbrt", 2), ("sin", 2), ("log2", 1), ("cos", 2)] {
        let certificate = solved(function, Breakpoints::All);
        let page = page(&certificate, "f.json").unwrap();
        let document = parsed(&page);
        let mut seen = std::collections::HashSet::new();
        for heading in all(&document, "h2").into_iter().filter_map(|node| node.text()) {
            if !heading.contains(" hardest ") {
                continue;
            }
            for x in listed(&document, heading) {
                assert_eq!(x.starts_with('±'), signs == 2, "{function}: {x}");
                let x = x.trim_start_matches('±').to_owned();
                assert!(certificate.cases.iter().any(|case| case.x == x), "{function}: {x}");
                let odd = tmd_report::number::number(&x).unwrap().significand().abs();
                let odd = odd >> odd.trailing_zeros();
                // scaled arguments have the same odd part; of other functions different ones may
                let once = if function == "cbrt" { odd.to_string() } else { x.clone() };
                assert!(seen.insert(once), "{function}: {x}");
            }
        }
        assert!(seen.len() > 20, "{function}");
    }
}

/// Powers of two are set as such, in the text and in the plots.
#[test]
fn exponents_are_above_the_line() {
    let page = page(&solved("exp", Breakpoints::All), "exp.json").unwrap();
    let document = parsed(&page);
    let body = all(&document, "body")[0];
    let mut texts = body.descendants().filter(Node::is_text).filter_map(|node| node.text());
    assert_eq!(texts.find(|text| text.contains("2^")), None);
    assert!(page.contains("distance &lt; 2<sup>−8</sup> ulp") && page.contains("2⁻⁸"));
}

/// The rows of the export are in the page.
#[test]
fn the_data_can_be_taken_away() {
    let certificate = solved("exp2", Breakpoints::All);
    let page = page(&certificate, "exp2.json").unwrap();
    let document = parsed(&page);
    let link = all(&document, "a")[0];
    assert_eq!(link.attribute("download"), Some("exp2.csv"));
    let encoded = link.attribute("href").unwrap().split_once(',').unwrap().1;
    let mut bytes = Vec::new();
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte.unwrap()).to_digit(16).unwrap() as u8;
        bytes.push(if byte == b'%' { 16 * digit(rest.next()) + digit(rest.next()) } else { byte });
    }
    let exported = tmd_report::export::to_csv(&certificate, Listing::of(&certificate)).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), exported);
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&solved("sin", Breakpoints::Directed), "sin.json").unwrap();
    let document = parsed(&page);
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "link", "img", "iframe", "object"].contains(&node.tag_name().name()));
        assert!(node.attributes().all(|attribute| attribute.name() != "src"));
        assert!(node.attribute("href").is_none_or(|address| address.starts_with("data:text/csv;")));
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
    for (certificate, words) in
        [(interrupted("exp"), "PARTIAL: 0 of "), (out_of_reach("exp"), "a search would take too long")]
    {
        let page = page(&certificate, "exp.json").unwrap();
        let document = parsed(&page);
        let boxes = classes(&document, "alarm");
        assert_eq!(boxes.len(), 1);
        let said = text(boxes[0]);
        assert!(said.contains("NOTCOVERED:") && said.contains(&words.replace(' ', "")), "{said}");
        assert!(!page.contains("Hardness to round") && !page.contains(" hardest in "), "of nothing");
        assert!(page.contains("There are no cases.") && page.contains("Nothing was searched."));
    }
    let mut timeless = solved("exp", Breakpoints::All);
    timeless.effort = Effort::default();
    assert_eq!(timeless.digest, timeless.computed_digest());
    let page = page(&timeless, "exp.json").unwrap();
    assert!(page.contains("The certificate says nothing about the time that was spent."));
    assert_eq!(classes(&parsed(&page), "plot wide").len(), 3);
}

/// A certificate with as many binades as log has in binary64, each with the cases of one of
/// binary16.
fn long() -> Certificate {
    let mut certificate = solved("log", Breakpoints::All);
    let of_one = |x: &str| x.ends_with("p+3");
    let unit = certificate.units.iter().find(|unit| of_one(&unit.first)).unwrap().clone();
    let region = certificate.regions[unit.region].clone();
    let cases: Vec<_> = certificate.cases.iter().filter(|case| of_one(&case.x)).cloned().collect();
    assert!(cases.len() > 4);
    (certificate.regions, certificate.units, certificate.cases) = Default::default();
    certificate.format = tmd_core::Format::BINARY64.into();
    certificate.binades = Some([-1022, 1024]);
    for (index, exponent) in (-1022..1024).enumerate() {
        let moved = |x: &String| x.replace("p+3", &format!("p{exponent:+}"));
        let (first, last) = (moved(&region.first), format!("0x1.fffffffffffffp{exponent:+}"));
        let mut region = region.clone();
        (region.first, region.last, region.units) = (first.clone(), last, Some(1));
        region.arguments = 1 << 52;
        certificate.regions.push(region);
        certificate.units.push(tmd_driver::certificate::UnitRecord {
            region: index,
            first,
            spacing: exponent - 52,
            arguments: 1 << 52,
            ..unit.clone()
        });
        certificate.cases.extend(cases.iter().map(|case| {
            let mut case = case.clone();
            case.x = moved(&case.x);
            case
        }));
    }
    certificate.effort.unit_s = vec![0.5; 2046];
    certificate.effort.planned_s = vec![0.4; 2046];
    certificate.digest = certificate.computed_digest();
    certificate
}

#[test]
fn two_thousand_binades_are_legible() {
    let page = page(&long(), "log.json").unwrap();
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    assert!(page.contains("are too many for a page"), "the data");
    let document = parsed(&page);
    let plots = classes(&document, "plot wide");
    assert_eq!(plots.len(), 4);
    for plot in plots {
        let marks = plot.descendants().filter(|node| node.tag_name().name() == "circle").count();
        assert!(marks <= 2 * 128, "{marks} marks of at most two series");
    }
    assert_eq!(page.matches("Each point stands for 16 neighboring binades.").count(), 3);
    // neighbors of which the same is known share a line
    assert!(page.contains("<span class=\"x\">0x1p-1022</span> to "));
    // beside two lists of twenty
    assert!(all(&document, "tr").len() < 60);
}

/// A browser of this machine.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// The document that a browser makes of a page in a window so many pixels wide.
fn shown(browser: &str, folder: &Path, page: &Path, width: u32) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={width},2000"))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// In a window of 600 pixels no table is wider than the page: all columns of binary64 are there at
/// once.
#[test]
fn tables_fit_narrow_windows() {
    let Some(browser) = browser() else {
        println!("skipped: no chromium on this machine");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    for (name, listed) in [("binary64/cbrt", "stands for"), ("binary32/cos", "hardest next to 0")] {
        let text = tmd_testkit::results::certificate(&results, name);
        let page = page(&Certificate::from_json(&text).unwrap(), "f.json").unwrap();
        assert!(page.contains(listed), "{name}");
        // what the page itself does not have: a script, which measures it
        let script = "<script>let wide = [...document.querySelectorAll('.scroll, body')].filter(box => box.scrollWidth > box.clientWidth); \
                      document.body.setAttribute('data-wide', `${window.innerWidth}: ${wide.length} of \
                      ${document.querySelectorAll('.scroll').length}`);</script></body>";
        let path = folder.path().join(name.replace('/', "-")).with_extension("html");
        fs::write(&path, page.replace("</body>", script)).unwrap();
        let tables = page.matches("class=\"scroll\"").count();
        let dump = shown(browser, folder.path(), &path, 600);
        let begins = &dump[dump.find("<body").unwrap()..][..200];
        assert!(dump.contains(&format!("data-wide=\"600: 0 of {tables}\"")), "{name}: {begins}");
    }
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
    let dump = shown(browser, folder.path(), &path, 1200);
    assert!(dump.contains("<body>"), "{dump}");
    let document = parsed(&page);
    // the browser's text, tags taken out and characters unescaped, is the text that an XML parser
    // reads
    let body = &dump[dump.find("<body>").unwrap()..];
    let mut shown = String::new();
    for part in body.split('<').skip(1) {
        shown += part.split_once('>').map_or("", |(_, text)| text);
    }
    let shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let shown: String = shown.chars().filter(|character| !character.is_whitespace()).collect();
    assert_eq!(shown, text(all(&document, "body")[0]));
    for tag in ["svg", "circle", "polyline", "polygon", "td"] {
        let [with, without] = [' ', '>'].map(|end| dump.matches(&format!("<{tag}{end}")).count());
        assert_eq!(with + without, all(&document, tag).len());
    }
}
