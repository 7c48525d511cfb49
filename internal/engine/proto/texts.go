package proto

import "poly/internal/diag"

// texts are the rules but [sameRules].
var texts = [...]text{
	{
		codeSyntax, diag.Error, true, "The text is not a file of Protocol Buffers.",
		"No compiler takes it, nor anything that imports it.", "message A {\n  string name\n}",
		"Mend the first error of a file first; later ones may follow from it.",
	},
	{
		codeNumber, diag.Error, true, "A number is used twice, reserved, or out of range.",
		"Numbers are all that tells fields and values apart in a message that is sent, so compilers refuse this.",
		"string a = 1;\nstring b = 1;", "Take the next free number; never one that was in use before.",
	},
	{
		codeReservedName, diag.Error, true, "A field or value has a name that is reserved.",
		"The name is reserved since it had another meaning once; compilers refuse it.",
		"reserved \"old\";\nstring old = 2;", "Take another name, or lift the reservation if nothing old is read any more.",
	},
	{
		codeInvalid, diag.Error, true, "Something that compilers refuse.",
		"The grammar allows it, the language does not: a label in the wrong syntax, an enum without values, ranges that overlap, and so on.",
		"syntax = \"proto3\";\nmessage A {\n  required string a = 1;\n}", "The title tells what is wrong.",
	},
	{
		codeDuplicate, diag.Error, false, "A name stands twice in one scope.",
		"Fields, oneofs, messages, enums and their values that stand side by side share one name space; compilers refuse a second.",
		"enum A { NONE = 0; }\nenum B { NONE = 0; }", "Rename one; start values of enums with the name of their enum.",
	},
	{
		codeJSONName, diag.Error, false, "Two fields of a message are the same in JSON.",
		"JSON writes names in camelCase, where `foo_bar` and `fooBar` are equal; compilers refuse this in proto3.",
		"string foo_bar = 1;\nstring fooBar = 2;", "Rename one, or give it a json_name.",
	},
	{
		codeDirectoryPackage, diag.Warning, false, "Files of one directory are in different packages.",
		"Who looks for a package looks into one directory, and code generators put what lies there together.",
		"// a/x.proto\npackage a;\n// a/y.proto\npackage b;", "Give every package a directory of its own.",
	},
	{
		codePackage, diag.Warning, false, "A file declares no package.",
		"Its names are global: they collide with those of any other file without one, and cannot be told from them.",
		"syntax = \"proto3\";\nmessage A {}", "Declare a package after the syntax.",
	},
	{
		codePackageDirectory, diag.Info, false, "A file does not lie in the directory of its package.",
		"Imports are paths, and names are packages: when they agree, one tells the other. Below a buf.yaml the whole path must agree,\notherwise its end.",
		"// in api/x.proto\npackage acme.user.v1;", "Move it to acme/user/v1/x.proto.",
	},
	{
		codePackageName, diag.Warning, false, "A package is not lower_snake.case.",
		"Names of packages become names of modules and directories in many languages.",
		"package acme.userData.v1;", "Write package acme.user_data.v1;",
	},
	{
		codeVersionSuffix, diag.Info, false, "A package does not end in a version.",
		"A change that breaks readers needs a new package beside the old one, which only a version in the name allows.",
		"package acme.user;", "Write package acme.user.v1;",
	},
	{
		codeFirstZero, diag.Warning, false, "The first value of an enum is not zero.",
		"It is the default of proto2, where proto3 demands zero; readers of both then disagree.",
		"enum A {\n  A_ONE = 1;\n}", "Put a value for \"not set\" first and give it zero.",
	},
	{
		codeAlias, diag.Warning, false, "An enum allows two names for one number.",
		"Writers of JSON and text have to take one of the names, and readers cannot tell which was meant.",
		"option allow_alias = true;", "Keep one name for each number.",
	},
	{
		codeEnumName, diag.Warning, false, "The name of an enum is not PascalCase.",
		"Generators derive names from it and expect words that start with a capital.",
		"enum foo_bar {}", "Write enum FooBar.",
	},
	{
		codeValueName, diag.Warning, false, "The name of an enum's value is not UPPER_SNAKE_CASE.",
		"Generators derive constants from it.", "FooBar = 1;", "Write FOO_BAR = 1; numbers on the wire stay the same.",
	},
	{
		codeValuePrefix, diag.Info, false, "The name of a value does not start with that of its enum.",
		"Values share the scope around their enum, so short names soon collide.",
		"enum Color {\n  RED = 1;\n}", "Write COLOR_RED = 1; numbers on the wire stay the same.",
	},
	{
		codeZeroSuffix, diag.Info, false, "The zero value of an enum does not say that nothing was set.",
		"A field that was never set reads as zero. A zero with a meaning cannot be told from that. The end is set by\n`enum_zero_value_suffix`.",
		"enum Color {\n  COLOR_RED = 0;\n}", "Start with COLOR_UNSPECIFIED = 0.",
	},
	{
		codeFieldName, diag.Warning, false, "The name of a field is not lower_snake_case.",
		"Generators derive accessors and JSON names from the words of it.",
		"string userName = 1;", "Write string user_name = 1; its name in JSON stays userName.",
	},
	{
		codeRequired, diag.Warning, false, "A field is required.",
		"A message without it is refused by every reader, so it can never be removed, nor left out by a newer writer.",
		"required string name = 1;", "Make it optional and check it in code.",
	},
	{
		codeImportPublic, diag.Warning, false, "An import is public.",
		"Who imports this file depends on the other one without saying so; some generators do not support it.",
		"import public \"other.proto\";", "Import each file where it is used.",
	},
	{
		codeImportUsed, diag.Warning, false, "An import is not used.",
		"It costs every build, and makes code depend on what it does not need. Judged are files of the same directory and well-known ones.",
		"import \"google/protobuf/empty.proto\";", "Remove it.",
	},
	{
		codeMessageName, diag.Warning, false, "The name of a message is not PascalCase.",
		"Generators make classes of messages.", "message user_name {}", "Write message UserName.",
	},
	{
		codeOneofName, diag.Warning, false, "The name of a oneof is not lower_snake_case.",
		"Generators derive accessors from it, as from a field.", "oneof theValue {}", "Write oneof the_value.",
	},
	{
		codeRPCName, diag.Warning, false, "The name of an RPC is not PascalCase.",
		"It is part of the path a client calls, and generators make methods of it.", "rpc get_user(A) returns (B);", "Write rpc GetUser.",
	},
	{
		codeServiceName, diag.Warning, false, "The name of a service is not PascalCase.",
		"It is part of the path a client calls, and generators make classes of it.", "service user_service {}", "Write service UserService.",
	},
	{
		codeServiceSuffix, diag.Info, false, "The name of a service does not say that it is one.",
		"Generated clients and servers lie beside messages, from which the end of the name tells them. It is set by `service_suffix`.",
		"service User {}", "Write service UserService.",
	},
	{
		codeSyntaxSpecified, diag.Warning, false, "A file does not say which syntax it is in.",
		"It is then proto2, which few mean today.", "package a;", "Start with syntax = \"proto3\"; or an edition.",
	},
	{
		codeFileName, diag.Warning, false, "The name of a file is not lower_snake_case.proto.",
		"Imports are paths, and file systems disagree about capitals.", "import \"UserData.proto\";", "Name it user_data.proto.",
	},
	{
		codeUnique, diag.Info, false, "RPCs share a type of request or response.",
		"A field that one of them needs is then a field of all. RPCs of one file are compared.",
		"rpc A(Data) returns (AResponse);\nrpc B(Data) returns (BResponse);", "Give each RPC messages of its own.",
	},
	{
		codeRequestName, diag.Info, false, "The request of an RPC is not named after it.",
		"With names that follow from the RPC nobody has to look, and no two RPCs share a message by chance.",
		"rpc GetUser(UserQuery) returns (GetUserResponse);", "Name it GetUserRequest, or with the service before it.",
	},
	{
		codeResponseName, diag.Info, false, "The response of an RPC is not named after it.",
		"With names that follow from the RPC nobody has to look, and no two RPCs share a message by chance.",
		"rpc GetUser(GetUserRequest) returns (User);", "Name it GetUserResponse, or with the service before it.",
	},
}
