package compose

// What `poly explain` says: a summary, why, an example, what to do instead.
const (
	docUnknownKey = "A key that Compose does not know.\n\n" +
		"Compose refuses the whole file. Keys of other versions and misspelt ones are found.\n\n" +
		"    services:\n      web:\n        imgae: nginx:1.27\n\n" +
		"Write the key as the specification does, or start one of your own with `x-`."

	docWrongType = "A value of another type than the key has.\n\n" +
		"Compose refuses the whole file. Numbers are no strings: `user: 1000` has to be quoted.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        user: 1000\n\n" +
		"Quote it, or write the list or mapping that belongs there. Values with variables and with the tags !reset and\n" +
		"!override are left alone."

	docMissingKey = "A mapping without a key it needs.\n\n" +
		"Compose refuses the whole file. Only files that Compose reads by itself are judged, since another file may add the key.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        volumes: [{target: /data}]\n\n" +
		"Add the key, or use the short form."

	docBadValue = "A value that is none of those a key may have.\n\n" +
		"Compose or Docker refuses it: conditions of depends_on, types of volumes, restart policies and tests of healthchecks.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        restart: allways\n\n" +
		"Use one of the values that are named."

	docBadName = "A name with characters that are not allowed in it.\n\n" +
		"Compose refuses the whole file. Names of projects are in lower case.\n\n" +
		"    name: My Project\n\n" +
		"Use letters, digits, dashes and underscores."

	docVariable = "Text that starts like a variable and is none.\n\n" +
		"Compose replaces `${NAME}`, with `-`, `+` or `?` and a text behind the name, in every value. Anything else behind `${` is an\n" +
		"error, also in scripts that a shell is to read later.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        command: sh -c 'echo ${#x}'\n\n" +
		"Double the dollar sign of what is meant for the shell: `$${#x}`."

	docDuplicate = "An item that stands twice in a list.\n\n" +
		"Compose refuses the whole file.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        cap_add: [NET_ADMIN, NET_ADMIN]\n\n" +
		"Delete one of them."

	docExclusive = "Keys that exclude each other.\n\n" +
		"Compose refuses the whole file: network_mode and networks, dockerfile and dockerfile_inline, several sources of a secret or\n" +
		"config, and settings of something external.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        network_mode: host\n        networks: [front]\n\n" +
		"Keep one of them."

	docNoImage = "A service without image and build.\n\n" +
		"Compose does not know what to run, unless another file says it. Only files that Compose reads by itself are judged; services\n" +
		"with extends or provider are left alone.\n\n" +
		"    services:\n      web:\n        ports: [\"80:80\"]\n\n" +
		"Add `image` or `build`."

	docUndefined = "A name of something that the file does not define.\n\n" +
		"Compose refuses the project: services, networks, volumes, secrets, configs and models have to be defined. Only files that\n" +
		"Compose reads by itself are judged, without include and without an override file beside them.\n\n" +
		"    services:\n      web:\n        image: nginx:1.27\n        networks: [front]\n\n" +
		"Define it at the top level, with `external: true` if it exists already."

	docCycle = "Services that wait for each other.\n\n" +
		"Compose refuses the project: none of them can be started first. Services with profiles are left alone.\n\n" +
		"    services:\n      a:\n        image: a:1\n        depends_on: [b]\n      b:\n        image: b:1\n        depends_on: [a]\n\n" +
		"Take one of the dependencies out."

	docPort = "A port of the host that two services take.\n\n" +
		"The second one does not start. Services with profiles, ports in variables and different addresses are left alone.\n\n" +
		"    services:\n      a:\n        image: a:1\n        ports: [\"80:80\"]\n      b:\n        image: b:1\n        ports: [\"80:8080\"]\n\n" +
		"Publish another port."

	docContainer = "A container name that two services have.\n\n" +
		"Docker does not start the second one. Services with profiles are left alone, since they may never run together.\n\n" +
		"    services:\n      a:\n        image: a:1\n        container_name: app\n      b:\n        image: b:1\n        container_name: app\n\n" +
		"Leave the names to Compose, or make them differ."

	docVersion = "The key version, which has no effect.\n\n" +
		"Compose ignores it and warns about it. Only docker-compose 1, which is no longer maintained, looks at it.\n\n" +
		"    version: \"3.8\"\n    services: {}\n\n" +
		"Delete the line."
)
