// One audio file in, mono samples out: libavformat finds the stream, libavcodec decodes it, libswresample mixes and
// resamples. One file a module instance, at /audio. Negative results are FFmpeg's error codes.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <stdbool.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define SAMPLE_RATE 16000
#define MAX_CHANNELS 64
// A header that lies about its rate would turn kilobytes into days.
#define MIN_RATE 4000

static AVFormatContext *file;
static AVCodecContext *codec;
static AVPacket *packet;
static AVFrame *frame;
static SwrContext *mixer;
static struct { int rate, format, channels; } mixed;
static int16_t *samples;
static unsigned capacity;
static int stream;
static bool finished;

EXPORT("audio_open") int open_audio(void) {
	const AVCodec *decoder = NULL;
	int status;
	av_log_set_level(AV_LOG_QUIET);
	packet = av_packet_alloc();
	frame = av_frame_alloc();
	if ((status = avformat_open_input(&file, "file:/audio", NULL, NULL)) < 0) return status;
	if ((status = avformat_find_stream_info(file, NULL)) < 0) return status;
	if ((stream = av_find_best_stream(file, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)) < 0) return stream;
	for (unsigned i = 0; i < file->nb_streams; i++)
		if ((int)i != stream) file->streams[i]->discard = AVDISCARD_ALL;
	codec = avcodec_alloc_context3(decoder);
	if ((status = avcodec_parameters_to_context(codec, file->streams[stream]->codecpar)) < 0) return status;
	codec->pkt_timebase = file->streams[stream]->time_base;
	return avcodec_open2(codec, decoder, NULL);
}

// Every channel weighs the same, whatever the layout calls it.
static int open_mixer(void) {
	int channels = frame->ch_layout.nb_channels, status;
	double weights[MAX_CHANNELS];
	AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
	if (channels < 1 || channels > MAX_CHANNELS || frame->sample_rate < MIN_RATE) return AVERROR_INVALIDDATA;
	for (int i = 0; i < channels; i++) weights[i] = 1.0 / channels;
	swr_free(&mixer);
	status = swr_alloc_set_opts2(&mixer, &mono, AV_SAMPLE_FMT_S16, SAMPLE_RATE, &frame->ch_layout, frame->format,
		frame->sample_rate, 0, NULL);
	if (status < 0 || (status = swr_set_matrix(mixer, weights, channels)) < 0) return status;
	mixed.rate = frame->sample_rate;
	mixed.format = frame->format;
	mixed.channels = channels;
	return swr_init(mixer);
}

static int mix(const uint8_t **planes, int count) {
	int room = swr_get_out_samples(mixer, count);
	if (room < 0) return room;
	av_fast_malloc(&samples, &capacity, (room + 1) * sizeof *samples);
	if (!samples) return AVERROR(ENOMEM);
	uint8_t *out = (uint8_t *)samples;
	return swr_convert(mixer, &out, room, planes, count);
}

// The number of samples decoded next; 0 at the end. Broken packets are passed over.
EXPORT("audio_read") int read_audio(void) {
	while (!finished) {
		int status = avcodec_receive_frame(codec, frame);
		if (status == AVERROR(EAGAIN)) {
			status = av_read_frame(file, packet);
			if (status < 0) avcodec_send_packet(codec, NULL);
			else if (packet->stream_index == stream) avcodec_send_packet(codec, packet);
			av_packet_unref(packet);
		} else if (status == AVERROR_EOF) {
			finished = true;
			return mixer ? mix(NULL, 0) : 0;
		} else if (status == 0) {
			bool same = mixer && frame->sample_rate == mixed.rate && frame->format == mixed.format &&
				frame->ch_layout.nb_channels == mixed.channels;
			if (!same && (status = open_mixer()) < 0) return status;
			if ((status = mix((const uint8_t **)frame->extended_data, frame->nb_samples)) != 0) return status;
		}
	}
	return 0;
}

EXPORT("audio_samples") int16_t *get_samples(void) { return samples; }
