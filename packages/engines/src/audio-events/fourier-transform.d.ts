declare module "fourier-transform" {
	/** Magnitudes of the first half of the spectrum; a sine of amplitude 1 gives 1. The length has to be a power of two. */
	export default function rfft(samples: Float64Array, into?: Float64Array<ArrayBuffer>): Float64Array;
}
