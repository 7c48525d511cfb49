package dockerfile

// What `poly explain` says: a summary, why, an example, what to do instead.
const (
	docSyntax = "Docker refuses the file.\n\n" +
		"The build ends before it starts. Instructions that do not exist, and those without what they need, are among the\nerrors.\n\n" +
		"    FORM alpine:3.20\n\n" +
		"Mend the instruction; a line that continues the one before needs the escape character at the end of that one."

	docDL3000 = "WORKDIR has a relative path.\n\n" +
		"It is taken from whatever WORKDIR was in force, also that of the base image, so the place changes when another line\ndoes.\n\n" +
		"    WORKDIR app\n\n" +
		"Write the whole path, as in `/app`."

	docDL3006 = "An image without a tag.\n\n" +
		"It means `latest`, which is another image tomorrow. Stages of the file and images in variables are left alone.\n\n" +
		"    FROM debian\n\n" +
		"Name a tag or a digest."

	docDL3007 = "An image with the tag latest.\n\n" +
		"It is another image tomorrow, and nothing in the file tells which one was tested.\n\n" +
		"    FROM debian:latest\n\n" +
		"Name a version or a digest."

	docDL3011 = "A port above 65535.\n\n" +
		"There is none.\n\n" +
		"    EXPOSE 80000\n\n" +
		"Ports are 0 to 65535."

	docDL3012 = "More than one HEALTHCHECK in a stage.\n\n" +
		"The earlier ones have no effect.\n\n" +
		"    HEALTHCHECK CMD /a\n    HEALTHCHECK CMD /b\n\n" +
		"Keep the one that counts, the last."

	docDL3020 = "ADD of local files.\n\n" +
		"ADD unpacks what looks like an archive and fetches URLs; for plain files that is a surprise waiting.\n\n" +
		"    ADD app.py /app/\n\n" +
		"Use COPY. Archives, URLs, repositories and sources in variables are left alone."

	docDL3021 = "COPY of several files to something that does not end in a slash.\n\n" +
		"Docker refuses it: the destination has to be a folder.\n\n" +
		"    COPY a b /dst\n\n" +
		"End the destination with `/`."

	docDL3022 = "COPY takes files from something that is no stage before it.\n\n" +
		"A name that is neither a stage nor a tagged image is most often misspelt.\n\n" +
		"    COPY --from=biuld /a /a\n\n" +
		"Name a stage of the file, or an image with its tag."

	docDL3023 = "COPY takes files from the stage it stands in.\n\n" +
		"Docker refuses the circle.\n\n" +
		"    FROM a:1 AS x\n    COPY --from=x /a /b\n\n" +
		"Name another stage, or copy with RUN cp."

	docDL3024 = "Two stages have one name.\n\n" +
		"The second hides the first. Upper and lower case do not matter.\n\n" +
		"    FROM a:1 AS x\n    FROM b:1 AS x\n\n" +
		"Rename one of them."

	docDL3026 = "An image from a host that is not trusted.\n\n" +
		"The option trusted_registries, or trustedRegistries in .hadolint.yaml, names the hosts images may come from.\n\n" +
		"    FROM example.com/a:1\n\n" +
		"Use an image of a trusted host, or add the host."

	docDL3029 = "FROM fixes a platform.\n\n" +
		"The image can be built for no other one then. BUILDPLATFORM and TARGETPLATFORM are left alone.\n\n" +
		"    FROM --platform=linux/amd64 debian:12\n\n" +
		"Leave it to `docker build --platform`."

	docDL3043 = "ONBUILD defers what cannot be deferred.\n\n" +
		"Docker refuses FROM, MAINTAINER and ONBUILD there.\n\n" +
		"    ONBUILD FROM debian:12\n\n" +
		"Leave it out."

	docDL3044 = "ENV uses a variable that the same ENV defines.\n\n" +
		"All values of one instruction are worked out before any is set, so the old value is used, or none.\n\n" +
		"    ENV A=/opt B=$A/bin\n\n" +
		"Write two instructions."

	docDL3045 = "COPY to a relative path without a WORKDIR.\n\n" +
		"Where the files go depends on the base image.\n\n" +
		"    FROM debian:12\n    COPY a.txt b/\n\n" +
		"Set WORKDIR, or write the whole path."

	docDL3048 = "A label key that is not well formed.\n\n" +
		"Keys start with a small letter, end with one or a digit, and have dots, dashes, slashes and underscores between;\ncom.docker, io.docker and org.dockerproject belong to Docker.\n\n" +
		"    LABEL Maintainer=me\n\n" +
		"Use names such as `org.opencontainers.image.authors`."

	docDL3057 = "A stage without HEALTHCHECK.\n\n" +
		"Docker can tell only that the program runs, not that it works. The rule is off by default, since orchestrators have\nprobes of their own.\n\n" +
		"    FROM nginx:1.27\n\n" +
		"Add `HEALTHCHECK CMD ...`."

	docDL3061 = "An instruction before the first FROM.\n\n" +
		"Docker refuses all but ARG there.\n\n" +
		"    RUN make\n    FROM debian:12\n\n" +
		"Start with FROM."

	docDL3063 = "A stage has a reserved name.\n\n" +
		"`scratch` is the empty image and `context` the files of the build; a stage of that name cannot be told from them.\n\n" +
		"    FROM debian:12 AS scratch\n\n" +
		"Choose another name."

	docDL3064 = "ARG or ENV holds what looks like a secret.\n\n" +
		"Their values can be read from the image and its history. Names are judged, not values.\n\n" +
		"    ARG GITHUB_TOKEN\n\n" +
		"Mount it: `RUN --mount=type=secret,id=token`."

	docDL3065 = "FROM names the target platform.\n\n" +
		"It is the default.\n\n" +
		"    FROM --platform=$TARGETPLATFORM debian:12\n\n" +
		"Leave the option out."

	docDL3067 = "COPY of a whole file system from a stage.\n\n" +
		"Everything of that stage comes along, with what it was to leave behind.\n\n" +
		"    COPY --from=build / /\n\n" +
		"Copy what is needed, or build FROM that stage."

	docDL4000 = "MAINTAINER is deprecated.\n\n" +
		"Docker has a label for it since 2017.\n\n" +
		"    MAINTAINER me@example.com\n\n" +
		"Write `LABEL org.opencontainers.image.authors=\"me@example.com\"`."

	docDL4003 = "More than one CMD in a stage.\n\n" +
		"The earlier ones have no effect.\n\n" +
		"    CMD [\"a\"]\n    CMD [\"b\"]\n\n" +
		"Keep the one that counts, the last."

	docDL4004 = "More than one ENTRYPOINT in a stage.\n\n" +
		"The earlier ones have no effect.\n\n" +
		"    ENTRYPOINT [\"a\"]\n    ENTRYPOINT [\"b\"]\n\n" +
		"Keep the one that counts, the last."
)
