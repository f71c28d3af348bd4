// One audio file in, mono samples out: libavformat finds the stream, libavcodec decodes it, libswresample mixes its channels
// (or picks one) and resamples. One file a module instance, at /audio. Negative results are FFmpeg's error codes.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <stdbool.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define SAMPLE_RATE 16000
#define MAX_CHANNELS 64
// A header that lies about its rate would turn kilobytes into days.
#define MIN_RATE 4000
// Clocks that count milliseconds lie a little off; beyond the longest gap a clock has jumped, and an hour is enough in all.
#define MIN_GAP (SAMPLE_RATE / 20)
#define MAX_GAP (600 * SAMPLE_RATE)
#define MAX_GAPS (3600 * SAMPLE_RATE)

static AVFormatContext *file;
static AVCodecContext *codec;
static AVPacket *packet;
static AVFrame *frame;
static SwrContext *mixer;
static struct { int rate, format, channels; } mixed;
static int16_t *samples;
static unsigned capacity;
static int stream, only, channels;
static int64_t origin = AV_NOPTS_VALUE, written, silence, gaps;
static bool held, finished;

// `channel` is the one to pick, from 0; -1 mixes them all.
EXPORT("audio_open") int open_audio(int channel) {
	const AVCodec *decoder = NULL;
	int status;
	only = channel;
	av_log_set_level(AV_LOG_QUIET);
	packet = av_packet_alloc();
	frame = av_frame_alloc();
	if (!packet || !frame) return AVERROR(ENOMEM);
	if ((status = avformat_open_input(&file, "file:/audio", NULL, NULL)) < 0) return status;
	if ((status = avformat_find_stream_info(file, NULL)) < 0) return status;
	if ((stream = av_find_best_stream(file, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)) < 0) return stream;
	for (unsigned i = 0; i < file->nb_streams; i++)
		if ((int)i != stream) file->streams[i]->discard = AVDISCARD_ALL;
	if (!(codec = avcodec_alloc_context3(decoder))) return AVERROR(ENOMEM);
	if ((status = avcodec_parameters_to_context(codec, file->streams[stream]->codecpar)) < 0) return status;
	codec->pkt_timebase = file->streams[stream]->time_base;
	return avcodec_open2(codec, decoder, NULL);
}

// Every channel weighs the same, whatever the layout calls it. One that is not there is silent.
static int open_mixer(void) {
	int count = frame->ch_layout.nb_channels, status;
	double weights[MAX_CHANNELS];
	AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
	if (count < 1 || count > MAX_CHANNELS || frame->sample_rate < MIN_RATE) return AVERROR_INVALIDDATA;
	for (int i = 0; i < count; i++) weights[i] = only < 0 ? 1.0 / count : i == only;
	swr_free(&mixer);
	status = swr_alloc_set_opts2(&mixer, &mono, AV_SAMPLE_FMT_S16, SAMPLE_RATE, &frame->ch_layout, frame->format,
		frame->sample_rate, 0, NULL);
	if (status < 0 || (status = swr_set_matrix(mixer, weights, count)) < 0) return status;
	mixed.rate = frame->sample_rate;
	mixed.format = frame->format;
	mixed.channels = count;
	channels = FFMAX(channels, count);
	return swr_init(mixer);
}

static int make_room(int64_t count) {
	av_fast_malloc(&samples, &capacity, (count + 1) * sizeof *samples);
	return samples ? 0 : AVERROR(ENOMEM);
}

static int mix(const uint8_t **planes, int count) {
	int room = swr_get_out_samples(mixer, count), status;
	if (room < 0) return room;
	if ((status = make_room(room)) < 0) return status;
	uint8_t *out = (uint8_t *)samples;
	if ((status = swr_convert(mixer, &out, room, planes, count)) > 0) written += status;
	return status;
}

static int write_silence(void) {
	int count = FFMIN(silence, SAMPLE_RATE), status;
	if ((status = make_room(count)) < 0) return status;
	memset(samples, 0, count * sizeof *samples);
	silence -= count;
	written += count;
	return count;
}

// Samples missing before the frame: packets that cannot be decoded, such as the pauses of AMR, and what the clock skips.
static int64_t gap_before(void) {
	int64_t at = frame->best_effort_timestamp;
	if (at == AV_NOPTS_VALUE) return 0;
	AVRational clock = codec->pkt_timebase, out = {1, SAMPLE_RATE};
	if (origin == AV_NOPTS_VALUE) origin = at;
	int64_t gap = av_rescale_q(at - origin, clock, out) - written - swr_get_delay(mixer, SAMPLE_RATE);
	if (gap < MIN_GAP) return 0;
	if (gap > MAX_GAP || gaps + gap > MAX_GAPS) {
		origin += av_rescale_q(gap, out, clock);
		return 0;
	}
	gaps += gap;
	return gap;
}

static void feed(void) {
	int status = av_read_frame(file, packet);
	if (status < 0) {
		avcodec_send_packet(codec, NULL);
	} else if (packet->stream_index == stream) {
		// A file may begin with packets that cannot be decoded.
		if (avcodec_send_packet(codec, packet) < 0 && origin == AV_NOPTS_VALUE) origin = packet->pts;
	}
	av_packet_unref(packet);
}

// The number of samples decoded next; 0 at the end. Broken packets become silence.
EXPORT("audio_read") int read_audio(void) {
	for (;;) {
		int status;
		if (silence > 0) return write_silence();
		if (held) {
			held = false;
			if ((status = mix((const uint8_t **)frame->extended_data, frame->nb_samples)) != 0) return status;
		}
		if (finished) return 0;
		status = avcodec_receive_frame(codec, frame);
		if (status == AVERROR(EAGAIN)) {
			feed();
		} else if (status == AVERROR_EOF) {
			finished = true;
			if (mixer) return mix(NULL, 0);
		} else if (status == 0) {
			bool same = mixer && frame->sample_rate == mixed.rate && frame->format == mixed.format &&
				frame->ch_layout.nb_channels == mixed.channels;
			if (!same && (status = open_mixer()) < 0) return status;
			silence = gap_before();
			held = true;
		}
	}
}

EXPORT("audio_samples") int16_t *get_samples(void) { return samples; }
// The most channels that the stream had so far.
EXPORT("audio_channels") int get_channels(void) { return channels; }
