/* C99 complex functions as Windows' own C runtime has them, for Wine, whose runtime ends the program instead.

   NumPy 2.2 and later call them. Complex numbers pass as Microsoft's compiler passes them, as structures; a long double
   is a double. For trying the program under Wine only: never shipped. */

#include <complex.h>
#include <math.h>

typedef struct { double re, im; } Double;
typedef struct { float re, im; } Float;

static double complex in(Double z) { double complex w; __real__ w = z.re; __imag__ w = z.im; return w; }
static float complex inf(Float z) { float complex w; __real__ w = z.re; __imag__ w = z.im; return w; }
static Double out(double complex w) { return (Double){__real__ w, __imag__ w}; }
static Float outf(float complex w) { return (Float){__real__ w, __imag__ w}; }

#define EXPORT(name) wine_##name
#define OF_ONE(name) \
    Double EXPORT(name)(Double z) { return out(name(in(z))); } \
    Double EXPORT(name##l)(Double z) { return out(name(in(z))); } \
    Float EXPORT(name##f)(Float z) { return outf(name##f(inf(z))); }
#define TO_REAL(name) \
    double EXPORT(name)(Double z) { return name(in(z)); } \
    double EXPORT(name##l)(Double z) { return name(in(z)); } \
    float EXPORT(name##f)(Float z) { return name##f(inf(z)); }

OF_ONE(cacos) OF_ONE(cacosh) OF_ONE(casin) OF_ONE(casinh) OF_ONE(catan) OF_ONE(catanh)
OF_ONE(ccos) OF_ONE(ccosh) OF_ONE(csin) OF_ONE(csinh) OF_ONE(ctan) OF_ONE(ctanh)
OF_ONE(cexp) OF_ONE(clog) OF_ONE(csqrt) OF_ONE(conj) OF_ONE(cproj)
TO_REAL(cabs) TO_REAL(carg) TO_REAL(cimag) TO_REAL(creal)

Double EXPORT(cpow)(Double z, Double w) { return out(cpow(in(z), in(w))); }
Double EXPORT(cpowl)(Double z, Double w) { return out(cpow(in(z), in(w))); }
Float EXPORT(cpowf)(Float z, Float w) { return outf(cpowf(inf(z), inf(w))); }
