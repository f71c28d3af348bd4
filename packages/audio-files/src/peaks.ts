/** Peaks of one second of audio. */
export const PEAKS_PER_SECOND = 20;

const FULL_SCALE = 32_768;

/** Measures the loudest sample of each twentieth of a second as one byte: 0 is silence, 255 is full scale. */
export class PeakMeter {
	readonly #rate: number;
	readonly #peaks: number[] = [];
	#samples = 0;
	#loudest = 0;
	#boundary: number;

	constructor(rate: number) {
		this.#rate = rate;
		this.#boundary = this.#boundaryOf(1);
	}

	add(samples: Int16Array): void {
		for (const sample of samples) {
			const loudness = sample < 0 ? -sample : sample;
			if (loudness > this.#loudest) this.#loudest = loudness;
			this.#samples += 1;
			if (this.#samples >= this.#boundary) this.#close();
		}
	}

	/** Returns the peaks so far. The last one may cover less than a twentieth of a second. */
	peaks(): Uint8Array<ArrayBuffer> {
		const isOpen = this.#samples > this.#boundaryOf(this.#peaks.length);
		return Uint8Array.from(isOpen ? [...this.#peaks, toByte(this.#loudest)] : this.#peaks);
	}

	#close(): void {
		this.#peaks.push(toByte(this.#loudest));
		this.#loudest = 0;
		this.#boundary = this.#boundaryOf(this.#peaks.length + 1);
	}

	/** Returns the number of samples before a peak ends. Rates such as 11,025 Hz are no multiple of 20. */
	#boundaryOf(count: number): number {
		return Math.ceil((count * this.#rate) / PEAKS_PER_SECOND);
	}
}

const toByte = (loudness: number): number => Math.min(255, Math.round((255 * loudness) / FULL_SCALE));
