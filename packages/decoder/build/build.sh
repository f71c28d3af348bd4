#!/bin/sh
# Rebuilds ../assets/decoder.wasm from the sources of Debian 12 (bookworm), about a minute:
#   apt-get install clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 make dpkg-dev
# and a "deb-src" line in apt's sources. Usage: build.sh [working directory]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assets=$(cd "$here/../assets" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work" && cd "$work"

wasm="--target=wasm32-wasi -msimd128 -mbulk-memory -ftls-model=local-exec \
	-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN"
libraries="-lwasi-emulated-process-clocks -lwasi-emulated-signal -lwasi-emulated-mman"

[ -d ffmpeg ] || apt-get source -q ffmpeg
ln -sfn ffmpeg-5* ffmpeg

# FFmpeg without anything under the GPL.
mkdir -p ffmpeg-wasm && cd ffmpeg-wasm
../ffmpeg/configure --enable-cross-compile --arch=wasm32 --target-os=none --cc=clang-14 --ar=llvm-ar-14 \
	--nm=llvm-nm-14 --ranlib=llvm-ranlib-14 --strip=llvm-strip-14 \
	--disable-all --disable-everything --disable-autodetect --disable-network --disable-asm --disable-pthreads --disable-debug \
	--enable-avcodec --enable-avformat --enable-swresample --enable-protocol=file \
	--enable-demuxer=wav,w64,aiff,caf,au,mp3,flac,ogg,aac,mov,matroska,mpegts,mpegps,amr,asf \
	--enable-parser=aac,ac3,mpegaudio,flac,opus,vorbis,amr \
	--enable-decoder=aac,alac,mp3float,mp2float,flac,vorbis,opus,amrnb,amrwb,wmav1,wmav2,adpcm_ms,adpcm_ima_wav \
	--enable-decoder=ac3,eac3,gsm_ms,pcm_u8,pcm_s8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_s16be \
	--enable-decoder=pcm_s24be,pcm_s32be,pcm_f32be,pcm_alaw,pcm_mulaw \
	--extra-cflags="$wasm -O2 -w -include $here/shim.h" --extra-ldflags="--target=wasm32-wasi $libraries"
make -s -j"$(nproc)" libavformat/libavformat.a libavcodec/libavcodec.a libswresample/libswresample.a libavutil/libavutil.a

# The memory comes from outside: whoever runs it says how much it may take.
clang-14 $wasm -mexec-model=reactor -O2 -I. -I../ffmpeg "$here/decoder.c" \
	-Llibavformat -Llibavcodec -Llibswresample -Llibavutil -lavformat -lavcodec -lswresample -lavutil $libraries \
	-o "$assets/decoder.wasm" -Wl,--strip-all -Wl,--gc-sections -Wl,-z,stack-size=524288 \
	-Wl,--import-memory -Wl,--initial-memory=4194304 -Wl,--max-memory=268435456
chmod 644 "$assets/decoder.wasm"
ls -l "$assets"
