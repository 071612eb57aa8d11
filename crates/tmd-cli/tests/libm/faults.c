/* The square, with planted faults: each function is right but for what its name says. The square of a float is exact in double. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma STDC FENV_ACCESS ON

/* x*x is exact in double; the conversion rounds as the mode says and raises the flags of IEEE 754 */
static float square(float x)
{
    volatile double exact = (double)x * (double)x;
    volatile float rounded = (float)exact;
    return rounded;
}

static uint32_t bits(float x)
{
    uint32_t pattern;
    memcpy(&pattern, &x, 4);
    return pattern;
}

float right(float x)
{
    return square(x);
}

/* one unit in the last place too much where the rounding is up */
float wrong_up(float x)
{
    volatile float y = square(x);
    if (fegetround() != FE_UPWARD || x != 1.5f)
        return y;
    uint32_t pattern = bits(y) + 1;
    memcpy((void *)&y, &pattern, 4);
    return y;
}

/* rounds to nearest whatever the mode */
float ignores_mode(float x)
{
    int mode = fegetround();
    fesetround(FE_TONEAREST);
    float y = square(x);
    fesetround(mode);
    return y;
}

float crashes(float x)
{
    if (x == 3.0f)
        *(volatile int *)16 = 1;
    return square(x);
}

float aborts_always(float x)
{
    (void)x;
    abort();
}

float exits(float x)
{
    if (x == 3.0f)
        exit(0);
    return square(x);
}

float hangs(float x)
{
    if (x == 3.0f && fegetround() == FE_DOWNWARD)
        for (;;)
            pause();
    return square(x);
}

/* enables the trap of division by 0, and divides */
float traps(float x)
{
    if (x == 3.0f) {
        unsigned mxcsr;
        __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
        mxcsr &= ~0x200u;
        __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
        volatile float zero = 0.0f, one = 1.0f;
        return one / zero;
    }
    return square(x);
}

/* leaves the rounding toward 0 */
float clobbers(float x)
{
    float y = square(x);
    if (x == 3.0f)
        fesetround(FE_TOWARDZERO);
    return y;
}

/* leaves subnormal numbers flushed to 0, in MXCSR only: fegetround does not tell */
float flushes(float x)
{
    float y = square(x);
    if (x == 3.0f) {
        unsigned mxcsr;
        __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
        mxcsr |= 0x8000u;
        __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    }
    return y;
}

/* forgets that it overflows */
float misses_overflow(float x)
{
    float y = square(x);
    feclearexcept(FE_OVERFLOW);
    return y;
}

/* raises invalid at 3 */
float spurious_invalid(float x)
{
    float y = square(x);
    if (x == 3.0f)
        feraiseexcept(FE_INVALID);
    return y;
}

float returns_nan(float x)
{
    return x == 3.0f ? NAN : square(x);
}

/* a NaN that is signaling: its pattern is put together */
float returns_signaling(float x)
{
    if (!isnan(x))
        return square(x);
    uint32_t pattern = 0x7f800001;
    float y;
    memcpy(&y, &pattern, 4);
    return y;
}

/* prints, which harms nobody */
float prints(float x)
{
    if (x == 3.0f)
        puts("hello"), fflush(stdout);
    return square(x);
}

/* says in a file that it was called a million times */
float marks(float x)
{
    static int calls;
    const char *path = getenv("TMD_TEST_MARK");
    if (++calls == 1000000 && path) {
        FILE *file = fopen(path, "w");
        if (file)
            fclose(file);
    }
    return square(x);
}

/* a function of its own with the name of another library's: whoever calls it here means this one */
double cbrt(double x)
{
    return x * x;
}

double calls_its_own(double x)
{
    return cbrt(x);
}

double square_double(double x)
{
    return x * x;
}

long double square_extended(long double x)
{
    return x * x;
}

/* x87 has the mode, and its own */
long double clobbers_x87(long double x)
{
    if (x == 3.0L) {
        unsigned short control = 0x037f | 0x400;
        __asm__ volatile("fldcw %0" : : "m"(control));
    }
    return x * x;
}

#ifdef __FLT16_MAX__
_Float16 square_half(_Float16 x)
{
    volatile float exact = (float)x * (float)x;
    volatile _Float16 rounded = (_Float16)exact;
    return rounded;
}

/* wrong at one argument of all */
_Float16 wrong_half(_Float16 x)
{
    return x == (_Float16)3.0f ? (_Float16)9.0078125f : square_half(x);
}
#endif
