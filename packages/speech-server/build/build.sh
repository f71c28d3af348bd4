#!/bin/sh
# Rebuilds ../assets from the sources of Debian 12 (bookworm), about a minute:
#   apt-get install clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev sphinxbase-utils
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

[ -d sphinxbase ] || apt-get source -q sphinxbase pocketsphinx
ln -sfn sphinxbase-0* sphinxbase
ln -sfn pocketsphinx-0* pocketsphinx

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
