package dockerfile

// What `poly explain` says: a summary, why, an example, what to do instead.
const (
	docDL3008 = "apt-get installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN apt-get install -y curl\n\n" +
		"Write `curl=8.5.0-2`, or pin the base image by digest and switch the rule off."

	docDL3009 = "The package lists of apt stay in the image.\n\n" +
		"They are some 20 to 40 MB that nobody needs once packages are installed. Only the last stage, and stages others are\nbuilt on, count.\n\n" +
		"    RUN apt-get update && apt-get install -y curl=8.5.0-2\n\n" +
		"End the same RUN with `rm -rf /var/lib/apt/lists/*`, or mount a cache there."

	docDL3013 = "pip installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN pip install flask\n\n" +
		"Write `flask==3.0.3`, or install from a file of requirements or constraints."

	docDL3014 = "apt-get install without -y.\n\n" +
		"It asks a question that nobody answers, and the build fails.\n\n" +
		"    RUN apt-get install curl=8.5.0-2\n\n" +
		"Add `-y`."

	docDL3015 = "apt-get installs what packages recommend.\n\n" +
		"The image grows by packages nobody asked for.\n\n" +
		"    RUN apt-get install -y curl=8.5.0-2\n\n" +
		"Add `--no-install-recommends`, and name what is really needed."

	docDL3016 = "npm installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN npm install -g express\n\n" +
		"Write `express@4.19.2`; `npm ci` with a lock file is better still."

	docDL3018 = "apk installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN apk add --no-cache curl\n\n" +
		"Write `curl=8.9.1-r1` or `curl~8.9`."

	docDL3019 = "apk keeps its index in the image.\n\n" +
		"`--no-cache` fetches the index and leaves nothing behind, so neither `--update` nor a later rm is needed.\n\n" +
		"    RUN apk add curl=8.9.1-r1\n\n" +
		"Add `--no-cache`, or mount a cache at /var/cache/apk."

	docDL3027 = "A script uses apt.\n\n" +
		"Its command line is made for people and may change; apt-get and apt-cache are made for scripts.\n\n" +
		"    RUN apt install -y curl=8.5.0-2\n\n" +
		"Use apt-get."

	docDL3028 = "gem installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN gem install bundler\n\n" +
		"Write `bundler:2.5.11`, or use `-v`."

	docDL3030 = "yum install without -y.\n\n" +
		"It asks a question that nobody answers, and the build fails.\n\n" +
		"    RUN yum install curl-8.5.0\n\n" +
		"Add `-y`."

	docDL3032 = "yum is not cleaned up.\n\n" +
		"Downloaded lists and packages stay in the layer.\n\n" +
		"    RUN yum install -y curl-8.5.0\n\n" +
		"End the same RUN with `yum clean all`."

	docDL3033 = "yum installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN yum install -y curl\n\n" +
		"Write `curl-8.5.0`."

	docDL3034 = "zypper asks questions.\n\n" +
		"Nobody answers them, and the build fails.\n\n" +
		"    RUN zypper install curl=8.5.0\n\n" +
		"Add `-y`, or `--non-interactive` before the verb."

	docDL3035 = "zypper dist-upgrade in a build.\n\n" +
		"It moves the image to another release than its base image has, other with every build.\n\n" +
		"    RUN zypper dup -y\n\n" +
		"Use a newer base image."

	docDL3036 = "zypper is not cleaned up.\n\n" +
		"Downloaded lists and packages stay in the layer.\n\n" +
		"    RUN zypper install -y curl=8.5.0\n\n" +
		"End the same RUN with `zypper clean`, or mount a cache at /var/cache/zypp."

	docDL3037 = "zypper installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN zypper install -y curl\n\n" +
		"Write `curl=8.5.0`."

	docDL3038 = "dnf install without -y.\n\n" +
		"It asks a question that nobody answers, and the build fails.\n\n" +
		"    RUN dnf install curl-8.5.0\n\n" +
		"Add `-y`."

	docDL3040 = "dnf is not cleaned up.\n\n" +
		"Downloaded lists and packages stay in the layer.\n\n" +
		"    RUN dnf install -y curl-8.5.0\n\n" +
		"End the same RUN with `dnf clean all`, or mount a cache at /var/cache/libdnf5."

	docDL3041 = "dnf installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN dnf install -y curl\n\n" +
		"Write `curl-8.5.0`."

	docDL3042 = "pip keeps its cache in the image.\n\n" +
		"Downloaded packages stay in the layer next to the installed ones.\n\n" +
		"    RUN pip install flask==3.0.3\n\n" +
		"Add `--no-cache-dir`, set PIP_NO_CACHE_DIR=1, or mount a cache at /root/.cache/pip."

	docDL3060 = "The cache of yarn stays in the image.\n\n" +
		"Downloaded packages stay in the layer next to the installed ones. Only the last stage, and stages others are built on,\ncount.\n\n" +
		"    RUN yarn install\n\n" +
		"End the same RUN with `yarn cache clean`, or mount a cache."

	docDL3062 = "go installs a package in any version.\n\n" +
		"Two builds of one file may hold different programs.\n\n" +
		"    RUN go install golang.org/x/tools/cmd/goimports@latest\n\n" +
		"Name the version behind `@`."
)
