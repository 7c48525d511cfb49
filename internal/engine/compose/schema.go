package compose

// kind is a set of the kinds of values Compose tells apart.
type kind uint8

const (
	isString kind = 1 << iota
	isInt
	isFloat
	isBool
	isNull
	isList
	isMap
)

// anyKind is also that of what cannot be told.
const anyKind = isString | isInt | isFloat | isBool | isNull | isList | isMap

// shape says what a value may be.
type shape struct {
	kinds  kind
	items  *shape  // of a list; nil: anything
	unique bool    // no item of the list stands twice
	fields []field // of a mapping
	values *shape  // of the other keys of a mapping; nil: there are none
	open   bool    // other keys hold anything
	need   []string
	enum   []string
}

// field is a key of a mapping.
type field struct {
	name  string
	shape *shape
}

// The shapes follow schema/compose-spec.json of compose-spec.
var (
	anything  = &shape{kinds: anyKind, open: true}
	str       = &shape{kinds: isString}
	nullStr   = &shape{kinds: isString | isNull}
	boolean   = &shape{kinds: isBool}
	integer   = &shape{kinds: isInt}
	boolStr   = &shape{kinds: isBool | isString}
	intStr    = &shape{kinds: isInt | isString}
	numStr    = &shape{kinds: isInt | isFloat | isString}
	scalar    = &shape{kinds: isInt | isFloat | isString | isBool | isNull}
	strs      = &shape{kinds: isList, items: str}
	uniqueStr = &shape{kinds: isList, items: str, unique: true}
	numStrs   = &shape{kinds: isList, items: numStr}
	strOrStrs = &shape{kinds: isString | isList, items: str}
	dict      = &shape{kinds: isMap | isList, items: str, values: scalar}
	scalars   = &shape{kinds: isMap, values: numStr}
	strMap    = &shape{kinds: isMap, values: str}
	command   = &shape{kinds: isString | isList | isNull, items: str}
	external  = &shape{kinds: isBool | isString | isMap, fields: []field{{"name", str}}}
	outside   = &shape{kinds: isBool | isString | isMap, open: true, fields: []field{{"name", str}}}
)

var root = &shape{
	kinds: isMap,
	fields: []field{
		{"version", str},
		{"name", str},
		{"include", include},
		{"services", &shape{kinds: isMap, values: service}},
		{"models", &shape{kinds: isMap, values: model}},
		{"networks", &shape{kinds: isMap, values: network}},
		{"volumes", &shape{kinds: isMap, values: volume}},
		{"secrets", &shape{kinds: isMap, values: secret}},
		{"configs", &shape{kinds: isMap, values: config}},
	},
}

var include = &shape{kinds: isList | isNull, items: &shape{kinds: isString | isMap | isNull, open: true, fields: []field{
	{"path", strOrStrs}, {"env_file", strOrStrs}, {"project_directory", str},
}}}

var service = &shape{kinds: isMap, fields: []field{
	{"annotations", dict},
	{"attach", boolStr},
	{"blkio_config", blkio},
	{"build", build},
	{"cap_add", strs},
	{"cap_drop", strs},
	{"cgroup", &shape{kinds: isString, enum: []string{"host", "private"}}},
	{"cgroup_parent", str},
	{"command", command},
	{"configs", grants},
	{"container_name", str},
	{"cpu_count", intStr},
	{"cpu_percent", intStr},
	{"cpu_period", numStr},
	{"cpu_quota", numStr},
	{"cpu_rt_period", numStr},
	{"cpu_rt_runtime", numStr},
	{"cpu_shares", numStr},
	{"cpus", numStr},
	{"cpuset", str},
	{"credential_spec", &shape{kinds: isMap, fields: []field{{"config", str}, {"file", str}, {"registry", str}}}},
	{"depends_on", dependsOn},
	{"deploy", deploy},
	{"develop", develop},
	{"device_cgroup_rules", uniqueStr},
	{"devices", devices},
	{"dns", strOrStrs},
	{"dns_opt", strs},
	{"dns_search", strOrStrs},
	{"domainname", str},
	{"entrypoint", command},
	{"env_file", envFile},
	{"environment", dict},
	{"expose", numStrs},
	{"extends", extends},
	{"external_links", uniqueStr},
	{"extra_hosts", extraHosts},
	{"gpus", gpus},
	{"group_add", &shape{kinds: isList, items: numStr, unique: true}},
	{"healthcheck", healthcheck},
	{"hostname", str},
	{"image", str},
	{"init", boolStr},
	{"ipc", str},
	{"isolation", str},
	{"label_file", strOrStrs},
	{"labels", dict},
	{"links", uniqueStr},
	{"logging", &shape{kinds: isMap, fields: []field{
		{"driver", str}, {"options", &shape{kinds: isMap, values: &shape{kinds: isString | isInt | isFloat | isNull}}},
	}}},
	{"mac_address", str},
	{"mem_limit", numStr},
	{"mem_reservation", intStr},
	{"mem_swappiness", intStr},
	{"memswap_limit", numStr},
	{"models", serviceModels},
	{"network_mode", str},
	{"networks", serviceNetworks},
	{"oom_kill_disable", boolStr},
	{"oom_score_adj", intStr},
	{"pid", nullStr},
	{"pids_limit", numStr},
	{"platform", str},
	{"ports", ports},
	{"post_start", hooks},
	{"pre_start", hooks},
	{"pre_stop", hooks},
	{"privileged", boolStr},
	{"profiles", strs},
	{"provider", &shape{kinds: isMap, open: true, need: []string{"type"}, fields: []field{{"type", str}}}},
	{"pull_policy", str},
	{"pull_refresh_after", str},
	{"read_only", boolStr},
	{"restart", str},
	{"runtime", str},
	{"scale", intStr},
	{"secrets", grants},
	{"security_opt", uniqueStr},
	{"shm_size", numStr},
	{"stdin_open", boolStr},
	{"stop_grace_period", str},
	{"stop_signal", str},
	{"storage_opt", &shape{kinds: isMap, open: true}},
	{"sysctls", dict},
	{"tmpfs", strOrStrs},
	{"tty", boolStr},
	{"ulimits", ulimits},
	{"use_api_socket", boolean},
	{"user", str},
	{"userns_mode", str},
	{"uts", str},
	{"volumes", mounts},
	{"volumes_from", uniqueStr},
	{"working_dir", str},
}}

var (
	blkioLimits = &shape{kinds: isList, items: &shape{kinds: isMap, fields: []field{{"path", str}, {"rate", intStr}}}}
	blkio       = &shape{kinds: isMap, fields: []field{
		{"device_read_bps", blkioLimits},
		{"device_read_iops", blkioLimits},
		{"device_write_bps", blkioLimits},
		{"device_write_iops", blkioLimits},
		{"weight", intStr},
		{"weight_device", &shape{kinds: isList, items: &shape{kinds: isMap, fields: []field{{"path", str}, {"weight", intStr}}}}},
	}}
	build = &shape{kinds: isString | isMap, fields: []field{
		{"additional_contexts", dict},
		{"args", dict},
		{"cache_from", strs},
		{"cache_to", strs},
		{"context", str},
		{"dockerfile", str},
		{"dockerfile_inline", str},
		{"entitlements", strs},
		{"extra_hosts", extraHosts},
		{"isolation", str},
		{"labels", dict},
		{"network", str},
		{"no_cache", boolStr},
		{"no_cache_filter", strOrStrs},
		{"platforms", strs},
		{"privileged", boolStr},
		{"provenance", boolStr},
		{"pull", boolStr},
		{"sbom", boolStr},
		{"secrets", grants},
		{"shm_size", intStr},
		{"ssh", dict},
		{"tags", strs},
		{"target", str},
		{"ulimits", ulimits},
	}}
	grants = &shape{kinds: isList, items: &shape{kinds: isString | isMap, fields: []field{
		{"gid", str}, {"mode", numStr}, {"source", str}, {"target", str}, {"uid", str},
	}}}
	dependsOn = &shape{kinds: isList | isMap, items: str, unique: true, values: &shape{
		kinds: isMap, need: []string{"condition"}, fields: []field{
			{"condition", &shape{kinds: isString, enum: []string{"service_started", "service_healthy", "service_completed_successfully"}}},
			{"required", boolean},
			{"restart", boolStr},
		},
	}}
	devices = &shape{kinds: isList, items: &shape{kinds: isString | isMap, need: []string{"source"}, fields: []field{
		{"permissions", str}, {"source", str}, {"target", str},
	}}}
	envFile = &shape{kinds: isString | isList, items: &shape{kinds: isString | isMap, need: []string{"path"}, fields: []field{
		{"format", str}, {"path", str}, {"required", boolStr},
	}}}
	extends = &shape{kinds: isString | isMap, need: []string{"service"}, fields: []field{{"file", str}, {"service", str}}}

	extraHosts = &shape{kinds: isMap | isList, items: str, values: &shape{kinds: isString | isList, items: str}}

	gpuDevices = &shape{kinds: isList, items: &shape{kinds: isMap, open: true, fields: []field{
		{"capabilities", uniqueStr}, {"count", intStr}, {"device_ids", uniqueStr}, {"driver", str}, {"options", dict},
	}}}
	gpus        = &shape{kinds: isString | isList, items: gpuDevices.items}
	healthcheck = &shape{kinds: isMap, fields: []field{
		{"disable", boolStr},
		{"interval", str},
		{"retries", numStr},
		{"start_interval", str},
		{"start_period", str},
		{"test", &shape{kinds: isString | isList, items: str}},
		{"timeout", str},
	}}
	hooks = &shape{kinds: isList, items: hook}
	hook  = &shape{kinds: isMap, open: true, fields: []field{
		{"command", command}, {"environment", dict}, {"privileged", boolStr}, {"user", str}, {"working_dir", str},
	}}
	serviceModels = &shape{kinds: isList | isMap, items: str, unique: true, values: &shape{kinds: isMap, open: true, fields: []field{
		{"endpoint_var", str}, {"model_var", str},
	}}}
	serviceNetworks = &shape{kinds: isList | isMap, items: str, unique: true, values: &shape{kinds: isMap | isNull, fields: []field{
		{"aliases", uniqueStr},
		{"driver_opts", scalars},
		{"gw_priority", &shape{kinds: isInt | isFloat}},
		{"interface_name", str},
		{"ipv4_address", str},
		{"ipv6_address", str},
		{"link_local_ips", uniqueStr},
		{"mac_address", str},
		{"priority", &shape{kinds: isInt | isFloat}},
	}}}
	ports = &shape{kinds: isList, unique: true, items: &shape{kinds: isInt | isFloat | isString | isMap, fields: []field{
		{"app_protocol", str}, {"host_ip", str}, {"mode", str}, {"name", str}, {"protocol", str}, {"published", intStr}, {"target", intStr},
	}}}
	mounts = &shape{kinds: isList, items: &shape{kinds: isString | isMap, need: []string{"type"}, fields: []field{
		{"bind", &shape{kinds: isMap, fields: []field{
			{"create_host_path", boolStr},
			{"propagation", str},
			{"recursive", &shape{kinds: isString, enum: []string{"enabled", "disabled", "writable", "readonly"}}},
			{"selinux", &shape{kinds: isString, enum: []string{"z", "Z"}}},
		}}},
		{"consistency", str},
		{"image", &shape{kinds: isMap, fields: []field{{"subpath", str}}}},
		{"read_only", boolStr},
		{"source", str},
		{"target", str},
		{"tmpfs", &shape{kinds: isMap, fields: []field{{"mode", numStr}, {"size", intStr}}}},
		{"type", &shape{kinds: isString, enum: []string{"bind", "volume", "tmpfs", "cluster", "npipe", "image"}}},
		{"volume", &shape{kinds: isMap, fields: []field{{"labels", dict}, {"nocopy", boolStr}, {"subpath", str}}}},
	}}}
	ulimits = &shape{kinds: isMap, values: &shape{kinds: isInt | isString | isMap, need: []string{"hard", "soft"}, fields: []field{
		{"hard", intStr}, {"soft", intStr},
	}}}
)

var (
	rollout = &shape{kinds: isMap, fields: []field{
		{"delay", str},
		{"failure_action", str},
		{"max_failure_ratio", numStr},
		{"monitor", str},
		{"order", &shape{kinds: isString, enum: []string{"start-first", "stop-first"}}},
		{"parallelism", intStr},
	}}
	deploy = &shape{kinds: isMap | isNull, fields: []field{
		{"endpoint_mode", str},
		{"labels", dict},
		{"mode", str},
		{"placement", &shape{kinds: isMap, fields: []field{
			{"constraints", strs},
			{"max_replicas_per_node", intStr},
			{"preferences", &shape{kinds: isList, items: &shape{kinds: isMap, fields: []field{{"spread", str}}}}},
		}}},
		{"replicas", intStr},
		{"resources", &shape{kinds: isMap, fields: []field{
			{"limits", &shape{kinds: isMap, fields: []field{{"cpus", numStr}, {"memory", str}, {"pids", intStr}}}},
			{"reservations", &shape{kinds: isMap, fields: []field{
				{"cpus", numStr},
				{"devices", gpuDevices},
				{"memory", str},
				{"generic_resources", &shape{kinds: isList, items: &shape{kinds: isMap, fields: []field{
					{"discrete_resource_spec", &shape{kinds: isMap, fields: []field{{"kind", str}, {"value", numStr}}}},
				}}}},
			}}},
		}}},
		{"restart_policy", &shape{kinds: isMap, fields: []field{
			{"condition", str}, {"delay", str}, {"max_attempts", intStr}, {"window", str},
		}}},
		{"rollback_config", rollout},
		{"update_config", rollout},
	}}
	develop = &shape{kinds: isMap | isNull, fields: []field{
		{"watch", &shape{kinds: isList, items: &shape{kinds: isMap, need: []string{"path", "action"}, fields: []field{
			{"action", &shape{kinds: isString, enum: []string{"rebuild", "sync", "restart", "sync+restart", "sync+exec"}}},
			{"exec", hook},
			{"ignore", strOrStrs},
			{"include", strOrStrs},
			{"initial_sync", boolean},
			{"path", str},
			{"target", str},
		}}}},
	}}
)

var (
	network = &shape{kinds: isMap | isNull, fields: []field{
		{"attachable", boolStr},
		{"driver", str},
		{"driver_opts", scalars},
		{"enable_ipv4", boolStr},
		{"enable_ipv6", boolStr},
		{"external", external},
		{"internal", boolStr},
		{"ipam", &shape{kinds: isMap, fields: []field{
			{"config", &shape{kinds: isList, items: &shape{kinds: isMap, fields: []field{
				{"aux_addresses", strMap}, {"gateway", str}, {"ip_range", str}, {"subnet", str},
			}}}},
			{"driver", str},
			{"options", strMap},
		}}},
		{"labels", dict},
		{"name", str},
	}}
	volume = &shape{kinds: isMap | isNull, fields: []field{
		{"driver", str}, {"driver_opts", scalars}, {"external", external}, {"labels", dict}, {"name", str},
	}}
	secret = &shape{kinds: isMap, fields: []field{
		{"driver", str},
		{"driver_opts", scalars},
		{"environment", str},
		{"external", outside},
		{"file", str},
		{"labels", dict},
		{"name", str},
		{"template_driver", str},
	}}
	config = &shape{kinds: isMap, fields: []field{
		{"content", str}, {"environment", str}, {"external", outside}, {"file", str}, {"labels", dict}, {"name", str}, {"template_driver", str},
	}}
	model = &shape{kinds: isMap, open: true, need: []string{"model"}, fields: []field{
		{"context_size", integer}, {"model", str}, {"name", str}, {"runtime_flags", strs},
	}}
)
