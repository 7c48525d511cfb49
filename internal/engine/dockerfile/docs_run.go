package dockerfile

// What `poly explain` says: a summary, why, an example, what to do instead.
const (
	docDL1001 = "A comment switches rules off.\n\n" +
		"Comments that silence findings are easily forgotten. The rule is off by default, for projects that want none.\n\n" +
		"    # hadolint ignore=DL3006\n    FROM alpine\n\n" +
		"Mend what is reported, or set rules in poly.toml, where all of them are seen."

	docDL3001 = "A command that does nothing useful in a build.\n\n" +
		"A build has no services, terminals or processes to look after. Such commands come from manuals for machines.\n\n" +
		"    RUN service nginx start\n\n" +
		"Leave it out; start programs by CMD or ENTRYPOINT."

	docDL3002 = "The last USER of a stage is root.\n\n" +
		"What runs in the container has every right in it, and more on the host than it needs if it breaks out.\n\n" +
		"    USER root\n\n" +
		"End the stage with a USER of its own."

	docDL3003 = "A script changes its directory by cd.\n\n" +
		"The change ends with RUN, and the reader has to keep track of it.\n\n" +
		"    RUN cd /src && make\n\n" +
		"Set WORKDIR before RUN."

	docDL3004 = "A build uses sudo.\n\n" +
		"RUN has the rights USER gives it. sudo brings a terminal and a password prompt that a build cannot serve, and runs\nnothing else than root would.\n\n" +
		"    RUN sudo apt-get update\n\n" +
		"Switch with USER, or use gosu or setpriv in an entry script."

	docDL3010 = "An archive is copied and unpacked.\n\n" +
		"The archive stays in its layer although nothing needs it.\n\n" +
		"    COPY app.tar.gz /tmp/\n    RUN tar -xzf /tmp/app.tar.gz -C /app\n\n" +
		"ADD unpacks local archives on its own."

	docDL3025 = "CMD, ENTRYPOINT or HEALTHCHECK is run by a shell.\n\n" +
		"The shell is the first process then: signals such as the one of docker stop do not reach the program.\n\n" +
		"    CMD node app.js\n\n" +
		"Write a JSON array, as in `[\"node\", \"app.js\"]`."

	docDL3046 = "useradd with a high user id and without -l.\n\n" +
		"The log of last logins has a place for every number below it: a sparse file of gigabytes that becomes real in a layer.\n\n" +
		"    RUN useradd -u 1000000 app\n\n" +
		"Add `-l`."

	docDL3047 = "wget shows its progress bar.\n\n" +
		"A log of a build has no terminal, so the bar is thousands of lines.\n\n" +
		"    RUN wget https://example.com/a\n\n" +
		"Add `-q`, `-nv` or `--progress=dot:giga`."

	docDL3059 = "A RUN after another RUN.\n\n" +
		"Every RUN is a layer. Those with several commands and those with other options are left alone.\n\n" +
		"    RUN make\n    RUN make install\n\n" +
		"Join them with `&&`, or in a here-document."

	docDL3066 = "USER has a name.\n\n" +
		"Orchestrators that check for root cannot tell what number a name has in the image. A variable of the file is left\nalone.\n\n" +
		"    USER app\n\n" +
		"Write the number, as in `USER 1000`."

	docDL4001 = "A stage uses both curl and wget.\n\n" +
		"One does what the other can, and both have to be installed.\n\n" +
		"    RUN curl -fsSO https://example.com/a\n    RUN wget -q https://example.com/b\n\n" +
		"Use one of them."

	docDL4005 = "A link replaces /bin/sh.\n\n" +
		"SHELL does it for the build, without a change to the image that scripts of packages may not expect.\n\n" +
		"    RUN ln -sf /bin/bash /bin/sh\n\n" +
		"Write `SHELL [\"/bin/bash\", \"-c\"]`."

	docDL4006 = "A pipe without pipefail.\n\n" +
		"Only the last command of a pipe can make RUN fail: a download that breaks off goes unnoticed.\n\n" +
		"    RUN curl -fsS https://example.com/a | tar -x\n\n" +
		"Set `SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]`, with /bin/ash on Alpine, before it."
)
