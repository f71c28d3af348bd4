#!/bin/sh
# Rebuilds ../assets from the sources of Debian 12 (bookworm), about two minutes:
#   apt-get install clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 make dpkg-dev sphinxbase-utils
# and a "deb-src" line in apt's sources. Node 24 must be on the PATH. Usage: build.sh [working directory]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assets=$(cd "$here/../assets" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work" && cd "$work"

wasm="--target=wasm32-wasi -msimd128 -mbulk-memory -ftls-model=local-exec \
	-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN"
libraries="-lwasi-emulated-process-clocks -lwasi-emulated-signal -lwasi-emulated-mman"
link="-mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections"

[ -d sphinxbase ] || apt-get source -q sphinxbase pocketsphinx ffmpeg
ln -sfn sphinxbase-0* sphinxbase
ln -sfn pocketsphinx-0* pocketsphinx
ln -sfn ffmpeg-5* ffmpeg

# The recogniser. Without local-exec thread storage and the strict declarations it compiles to traps.
patch -p1 -N -r - -d sphinxbase <"$here/recogniser/added-words.patch" || true
flags="$wasm -O3 -ffast-math -w -Werror=implicit-function-declaration -DHAVE_CONFIG_H -I$here/recogniser \
	-Isphinxbase/include -Isphinxbase/src/libsphinxbase/lm -Isphinxbase/src/libsphinxbase/fe \
	-Isphinxbase/src/libsphinxbase/feat -Isphinxbase/src/libsphinxbase/util \
	-Ipocketsphinx/include -Ipocketsphinx/src/libpocketsphinx"
mkdir -p objects
for source in sphinxbase/src/libsphinxbase/*/*.c pocketsphinx/src/libpocketsphinx/*.c "$here/recogniser/recogniser.c"; do
	case $source in *sbthread.c | *yin.c) continue ;; esac
	clang-14 $flags -c "$source" -o "objects/$(basename "$source" .c).o"
done
clang-14 $wasm $link -O3 objects/*.o $libraries -o "$assets/recogniser.wasm" \
	-Wl,-z,stack-size=1048576 -Wl,--initial-memory=33554432 -Wl,--max-memory=536870912

# The decoder: FFmpeg without anything under the GPL.
mkdir -p ffmpeg-wasm && cd ffmpeg-wasm
../ffmpeg/configure --enable-cross-compile --arch=wasm32 --target-os=none --cc=clang-14 --ar=llvm-ar-14 \
	--nm=llvm-nm-14 --ranlib=llvm-ranlib-14 --strip=llvm-strip-14 \
	--disable-all --disable-everything --disable-autodetect --disable-network --disable-asm --disable-pthreads --disable-debug \
	--enable-avcodec --enable-avformat --enable-swresample --enable-protocol=file \
	--enable-demuxer=wav,w64,aiff,caf,au,mp3,flac,ogg,aac,mov,matroska,mpegts,mpegps,amr,asf \
	--enable-parser=aac,mpegaudio,flac,opus,vorbis,amr \
	--enable-decoder=aac,alac,mp3float,mp2float,flac,vorbis,opus,amrnb,amrwb,wmav1,wmav2,adpcm_ms,adpcm_ima_wav \
	--enable-decoder=gsm_ms,pcm_u8,pcm_s8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_s16be,pcm_s24be \
	--enable-decoder=pcm_s32be,pcm_f32be,pcm_alaw,pcm_mulaw \
	--extra-cflags="$wasm -O2 -w -include $here/decoder/shim.h" --extra-ldflags="--target=wasm32-wasi $libraries"
make -s -j"$(nproc)" libavformat/libavformat.a libavcodec/libavcodec.a libswresample/libswresample.a libavutil/libavutil.a
clang-14 $wasm $link -O2 -I. -I../ffmpeg "$here/decoder/decoder.c" -Llibavformat -Llibavcodec -Llibswresample -Llibavutil \
	-lavformat -lavcodec -lswresample -lavutil $libraries -o "$assets/decoder.wasm" \
	-Wl,-z,stack-size=524288 -Wl,--max-memory=268435456
cd ..

# The model: acoustics as they are, the language model pruned, the whole dictionary for added words.
[ -d model ] || { apt-get download -q pocketsphinx-en-us && dpkg -x pocketsphinx-en-us_*.deb model; }
model=model/usr/share/pocketsphinx/model/en-us
for part in mdef means variances sendump transition_matrices noisedict feat.params; do
	cp "$model/en-us/$part" "$assets/$part.bin"
done
node "$here/prune-language-model.mjs" "$model/en-us.lm.bin" "$model/cmudict-en-us.dict" pruned.arpa "$assets/dict.bin"
sphinx_lm_convert -i pruned.arpa -ifmt arpa -o "$assets/lm.bin" -ofmt bin
gzip -9nc "$model/cmudict-en-us.dict" >"$assets/pronunciations.gz.bin"
chmod 644 "$assets"/*
ls -l "$assets"
