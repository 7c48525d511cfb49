package lang

import (
	"strings"
	"testing"
)

// templateCase is a text and the reason it is, or is not, what its name says.
type templateCase struct{ name, path, text, want string }

var yamlTemplates = []templateCase{
	// are templates
	{"helm value and flow", "chart/templates/svc.yaml", "kind: Service\nspec:\n  port: {{ .Values.port }}\n  list:   [ {{ .Values.a }},  {{ .Values.b }} ]\n", "Helm template"},
	{"helm outside templates", "svc.yaml", "a: {{ .Values.port }}\n", "Helm template"},
	{"helm quoted, in templates", "c/templates/a.yaml", "name: \"{{ .Release.Name }}-x\"\n", "Helm template"},
	{"helm in a plain scalar", "a.yaml", "image: repo:{{ .Values.tag }}\n", "Helm template"},
	{"helm trimmed control line", "x.yaml", "a: b\n{{- if .Values.x }}\nc: d\n{{- end }}\n", "Helm template"},
	{"helm include below its key", "x.yaml", "metadata:\n  labels:\n    {{- include \"c.labels\" . | nindent 4 }}\n", "Helm template"},
	{"control line after a value, deeper", "x.yaml", "  name: x\n    {{- with .Foo }}\n  a: b\n    {{- end }}\n", "Go template"},
	{"helm comment", "c/templates/x.yaml", "{{- /* about */}}\nkind: X\n", "Helm template"},
	{"go in a sequence", "x.yml", "items:\n  - {{ .Name }}\n", "Go template"},
	{"go key", "x.yml", "{{ .Key }}: value\n", "Go template"},
	{"go range", "x.yml", "{{ range .Items }}\n- a\n{{ end }}\n", "Go template"},
	{"helmfile", "helmfile.yaml", "url: {{ requiredEnv \"URL\" }}\n", "Go template"},
	{"go after a block scalar ends", "x.yml", "a: |\n  text {{ .X }}\n{{ if .Y }}\nb: c\n{{ end }}\n", "Go template"},
	{"go in an ended block scalar", "x.yml", "data:\n  x: |\n{{ .Files | indent 4 }}\n", "Go template"},
	{"jinja tags", "x.yml", "{% if x %}\na: b\n{% endif %}\n", "Jinja template"},
	{"jinja indented tags", "x.yml", "a:\n  {%- for i in l %}\n  - b\n  {%- endfor %}\n", "Jinja template"},
	{"jinja value", "x.yml", "name: {{ cookiecutter.name }}\n", "Jinja template"},
	{"jinja filter", "x.yml", "a: {{ x | default('y') }}\n", "Jinja template"},
	{"jinja in a flow sequence", "x.yml", "a: [{{ x }}, y]\n", "Jinja template"},
	{"jinja after a tag", "x.yml", "a: !!str {{ x }}\n", "Jinja template"},
	{"jinja comment", "x.yml", "{# about #}\na: b\n", "Jinja template"},
	{"salt", "x.sls", "{% set x = 1 %}\na: b\n", "Jinja template"},
	{"jinja after an apostrophe", "x.yml", "a: don't\nb: {{ x }}\n", "Jinja template"},
	{"jinja after quotes", "x.yml", "a: 'it''s'\nb: \"\\\"\"\nc: {{ x }}\n", "Jinja template"},
	{"jinja after a quoted scalar of many lines", "x.yml", "a: \"one\n  two {{ y }}\n  three\"\nb: {{ x }}\n", "Jinja template"},
	{"liquid", "x.yml", "{% assign a = 1 %}\na: b\n", "Liquid template"},
	{"handlebars", "x.yml", "{{#each items}}\n- {{ name }}\n{{/each}}\n", "Handlebars template"},
	{"mustache triple", "x.yml", "a: {{{ x }}}\n", "Handlebars template"},
	{"erb line", "config/x.yml", "<% if ENV['X'] %>\na: b\n<% end %>\n", "ERB template"},
	{"erb value", "config/database.yml", "password: <%= ENV['DB'] %>\n", "ERB template"},
	{"erb with a block", "config/database.yml", "pool: <%= ENV.fetch(\"RAILS_MAX_THREADS\") { 5 } %>\n", "ERB template"},
	{"terraform", "x.yaml", "a:\n%{ for x in list ~}\n  - ${x}\n%{ endfor ~}\n", "Terraform template"},
	{"crlf", "x.yml", "a: |\r\n  t\r\nb: {{ .X }}\r\n", "Go template"},
	{"second document", "x.yml", "--- |\n text {{ x }}\n---\na: {{ .X }}\n", "Go template"},

	// are plain YAML
	{"plain", "x.yml", "a: b\n", ""},
	{"github actions", ".github/workflows/ci.yml", "on: push\nenv:\n  A: ${{ secrets.A }}\njobs:\n  b:\n    if: ${{ github.ref == 'x' }}\n    name: t ${{ matrix.os }}\n    strategy: ${{ fromJSON(x) }}\n", ""},
	{"azure pipelines", "azure-pipelines.yml", "steps:\n- ${{ if eq(parameters.x, true) }}:\n  - script: a\n", ""},
	{"azure in templates", "templates/build.yml", "steps:\n- ${{ each p in parameters.x }}:\n  - script: echo ${{ p.name }}\n", ""},
	{"ansible quoted", "play.yml", "- hosts: all\n  vars:\n    a: \"{{ b }}\"\n    c: '{{ d | default([]) }}'\n", ""},
	{"ansible plain in the middle", "play.yml", "- name: Install {{ pkg }} on host\n  shell: echo {{ x }}\n  when: a == \"b\"\n", ""},
	{"ansible block scalar", "play.yml", "- shell: |\n    {{ cmd }} --x\n    {% if y %}z{% endif %}\n  args:\n    chdir: /x\n", ""},
	{"ansible folded", "play.yml", "- name: x\n  debug:\n    msg: >-\n      {{ a }}\n      {{ b }}\n- name: y\n", ""},
	{"ansible quoted over lines", "play.yml", "- debug:\n    msg: \"a\n      {{ b }}\n      {% if c %}\"\n", ""},
	{"plain scalar over lines", "play.yml", "- name: a long text that\n    {{ goes }} on\n", ""},
	{"block scalar in a sequence", "play.yml", "a:\n- |\n  {{ x }}\n- >\n  {{ y }}\n- b: |-\n    {{ z }}\n", ""},
	{"block scalar with indicator", "x.yml", "a: |2-  # note\n    {{ x }}\n  {{ y }}\nb: c\n", ""},
	{"tagged block scalar", "x.yml", "a: !Sub |\n  {{ x }}\nb: &anchor |\n  {{ y }}\n", ""},
	{"document is a block scalar", "x.yml", "--- |\n{{ x }}\n", ""},
	{"taskfile", "Taskfile.yml", "tasks:\n  a:\n    cmds:\n      - echo {{.GREETING}}\n      - go build {{if .X}}-v{{end}}\n      - 'docker ps --format \"{{.Names}}\"'\n", ""},
	{"goreleaser", ".goreleaser.yaml", "builds:\n  - ldflags:\n      - -s -w -X main.v={{.Version}}\n    binary: \"{{ .ProjectName }}\"\n", ""},
	{"prometheus", "alerts.yml", "annotations:\n  summary: \"{{ $labels.instance }} down\"\n  text: 'v {{ $value }}'\n  more: |\n    {{ range query \"x\" }}\n", ""},
	{"argo in a chart-like folder", "templates/wf.yaml", "args: [\"{{inputs.parameters.x}}\"]\n", ""},
	{"comment", "x.yml", "# {{ .X }}\na: b # {% if %}\n#{{- if }}\n", ""},
	{"home assistant", "configuration.yaml", "sensor:\n  value_template: \"{{ states('x') }}\"\n  other: >\n    {% if is_state('a','b') %}x{% endif %}\n", ""},
	{"flow map of maps", "x.yml", "a: {b: {c: d}, e: {}}\nf: [{a: b}, {c: d}]\n", ""},
	{"json in yaml", "x.yml", "{\"a\": {\"b\": \"{{ x }}\"}}\n", ""},
	{"helm values with tpl", "values.yaml", "host: \"{{ .Values.global.host }}\"\nlist:\n  - '{{ .Release.Name }}'\n", ""},
	{"helm values, plain", "ci/tpl-values.yaml", "url: http://x.{{ .Values.domain }}/healthz\n", ""},
	{"helm unit test", "c/unittests/a_test.yaml", "set:\n  name: config-{{ .Values.env }}\n  more:\n    - |\n      name: {{ .Values.name }}\n", ""},
	{"taskfile in templates", "taskfile/templates/default.yml", "vars:\n  G: a\ntasks:\n  default:\n    cmds:\n      - echo \"{{.G}}\"\n", ""},
	{"percent directive", "x.yml", "%YAML 1.2\n---\na: '%{x}'\n", ""},
	{"url escape", "x.yml", "a: http://x/?q=<%20>\n", ""},
	{"quoted key", "x.yml", "\"{{ a }}\": b\n'{{ c }}': d\n", ""},
	{"multi-line flow", "x.yml", "a: [\n  \"{{ x }}\",\n  '{{ y }}'\n]\n", ""},
	{"unclosed quote in a comment", "x.yml", "a: b # don't\nc: \"{{ d }}\"\n", ""},
}

var otherTemplates = []templateCase{
	{"json value", "x.json", "{\n \"a\": {{ .X }}\n}\n", "Go template"},
	{"json tag", "x.json", "{\n {% if x %}\"a\": 1{% endif %}\n}\n", "Jinja template"},
	{"json jinja", "x.json", "{\"a\": {{ x | tojson }}}\n", "Jinja template"},
	{"json string", "x.json", "{\"a\": \"{{ x }} {% if %} <%= y %>\", \"b\": \"\\\"{{\"}\n", ""},
	{"json doubled brace is an error of json", "x.json", "{{\"a\": 1}}\n", ""},
	{"jsonc comment", "tsconfig.json", "// {{ x }}\n/* {% */ {}\n", ""},
	{"toml value", "x.toml", "a = {{ x }}\n", "Jinja template"},
	{"toml tag", "x.toml", "{% if a %}\nb = 1\n{% endif %}\n", "Jinja template"},
	{"toml strings", "x.toml", "a = \"{{ x }}\"\nb = '''\n{% y %}\n'''\n# {{ z }}\n[[t]]\nc = '\\'\n", ""},
	{"dbt", "models/m.sql", "{{ config(materialized='table') }}\nselect * from {{ ref('y') }}\n{% if x %}where{% endif %}\n", "Jinja template"},
	{"dbt in a comment only", "models/m.sql", "-- depends_on: {{ ref('a') }}\nselect 1\n", "Jinja template"},
	{"sql string", "x.sql", "select '{{ x }}', \"{% y %}\" from t\n", ""},
	{"sql operator", "x.sql", "select a <% b, c <% d from t\n", ""},
	{"hugo layout", "layouts/list.html", "{{ define \"main\" }}\n<ul>{{ range .Pages }}<li {{ if .Draft }}class=\"d\"{{ end }}>{{ .Title }}</li>{{ end }}</ul>\n{{ end }}\n", "Go template"},
	{"go field only", "x.html", "<p>{{ .Title }}</p>\n", "Go template"},
	{"go in an attribute list", "x.html", "<div {{ attrs }}>x</div>\n", "Jinja template"},
	{"django", "t.html", "{% extends 'base.html' %}\n<p>{{ x }}</p>\n", "Jinja template"},
	{"jekyll", "_layouts/x.html", "<p>{% include head.html %}</p>\n", "Liquid template"},
	{"jekyll by path", "_includes/x.html", "{% for a in b %}<p>{{ a }}</p>{% endfor %}\n", "Liquid template"},
	{"handlebars html", "x.html", "<ul>{{#each xs}}<li>{{this}}</li>{{/each}}</ul>\n", "Handlebars template"},
	{"mustache partial", "x.html", "{{> head}}\n<p>x</p>\n", "Handlebars template"},
	{"erb html", "x.html", "<p><%= link_to 'a', b %></p>\n", "ERB template"},
	{"ejs html", "x.html", "<ul><% items.forEach(function(i) { %><li><%= i %></li><% }) %></ul>\n", "EJS template"},
	{"webpack html", "public/index.html", "<title><%= htmlWebpackPlugin.options.title %></title>\n", "EJS template"},
	{"php html", "x.html", "<p><?php echo 1; ?></p>\n{{\n", "PHP template"},
	{"jsp html", "x.html", "<%@ page language=\"java\" %>\n<p>x</p>\n", "JSP template"},
	{"angularjs html", "x.html", "<p title=\"{{ a.b }}\" ng-if=\"x\">{{ a.b | date }}</p>\n", ""},
	{"vue in html", "x.html", "<div id=\"app\">{{ message }} {{ $t('x') }}</div>\n", ""},
	{"template documentation", "doc.html", "<pre>{% if x %}</pre><code>{{ .X }}</code>\n", ""},
	{"script template", "x.html", "<script type=\"text/x-handlebars-template\">{{#if a}}<b>{{/if}}</script>\n<script type=\"text/template\"><% if (x) { %><% } %></script>\n", ""},
	{"angular component", "x.component.html", "<p *ngIf=\"a\">{{ a }} {{#b}}</p>\n", ""},
	{"vue component", "x.vue", "<template><p>{{ a }}</p></template>\n", ""},
	{"svelte", "x.svelte", "{#if a}{a}{/if}\n", ""},
	{"xml erb", "x.xml", "<a><%= b %></a>\n", "ERB template"},
	{"xml jinja", "x.xml", "<a>\n  {% for x in y %}\n  <b/>\n  {% endfor %}\n</a>\n", "Jinja template"},
	{"xml text", "x.svg", "<text>{{ a }}</text>\n", ""},
	{"markdown shortcode", "x.md", "{{< tabs >}}\n\ntext {{% note %}}\n", ""},
	{"markdown inline", "README.md", "Use `{{ x }}` or {{ y }} and {% z %} here.\n", ""},
	{"markdown fence", "README.md", "```yaml\n{{- if .X }}\n{% if %}\n```\n- a\n  ~~~\n  {% x %}\n  ~~~\n\n    {% code %}\n", ""},
	{"markdown liquid", "_posts/x.md", "---\na: b\n---\n{% include figure.html x=1 %}\ntext\n", "Liquid template"},
	{"markdown go", "CHANGELOG.tpl.md", "{{ range .Versions }}\n## {{ .Tag.Name }}\n{{ end }}\n", "Go template"},
	{"markdown handlebars", "x.md", "{{#each releases}}\n## {{title}}\n{{/each}}\n", "Handlebars template"},
	{"markdown erb", "x.md", "# A\n<% if x %>\n", "ERB template"},
	{"markdown cookiecutter", "README.md", "# {{ cookiecutter.name }}\n", "Jinja template"},
	{"markdown cookiecutter in code", "AGENTS.md", "Files below `{{cookiecutter.project_slug}}/` are templates.\n", ""},
	{"markdown cookiecutter beside code", "README.md", "`a` and {{ cookiecutter.name }} or `b`\n", "Jinja template"},
	{"rst listing", "x.rst", "::\n\n   {% if x %}\n", ""},
	{"dockerfile jinja", "Dockerfile", "{% if x %}\nFROM a\n{% endif %}\n", "Jinja template"},
	{"dockerfile placeholder", "Dockerfile.template", "FROM debian:12\n\n%%EXTRAS%%\nCMD [\"x\"]\n", "%%NAME%% template"},
	{"dockerfile tag", "Dockerfile", "FROM debian:%%SUITE%%-slim\nRUN x\n", "%%NAME%% template"},
	{"dockerfile percent", "Dockerfile", "FROM debian:12\nRUN date +%%s%%S \\\n  && printf '%%A%%'\n", ""},
	{"dockerfile from", "Dockerfile", "FROM {{ .Base }}\nRUN x\n", "Go template"},
	{"dockerfile format", "Dockerfile", "FROM a\nRUN docker inspect --format '{{.Id}}' x && echo {{ y }}\nRUN <<EOF\n{{ x }}\nEOF\n", ""},
	{"dockerfile cottle", "Dockerfile.linux", "{{\n    _ ARGS:\n        x: y ^\n    set a to b\n}}FROM {{a}}\n", "Cottle template"},
	{"dockerfile cottle index", "Dockerfile.linux", "FROM a\nRUN tar -f {{ARGS[\"file\"]}}{{if ARGS[\"d\"]: -C {{ARGS[\"d\"]}}}}\n", "Cottle template"},
	{"dockerfile cottle call", "Dockerfile.linux", "FROM a\nRUN a \\\n    && {{InsertTemplate(\"../Dockerfile.x\", [\n    ])}}\n", "Cottle template"},
	{"dockerfile cottle for", "Dockerfile.linux", "FROM a\nRUN apt-get \\{{for index, pkg in pkgs:\n  {{pkg}}}}\n", "Cottle template"},
	{"dockerfile go format", "Dockerfile", "FROM a\nRUN go list -f \"{{if .Main}}{{.Path}}{{end}}\" -m all && go list -f '{{index(.X)}}'\n", ""},
	{"svg with a tag of Hugo", "layouts/partials/x.svg", "<svg {{ with .Get \"class\" }}class=\"{{ . }}\"{{ end }} viewBox=\"0 0 1 1\">\n<path d=\"M0\"/></svg>\n", "Go template"},
	{"xml with braces in text", "x.xml", "<a b=\"{{ c }}\">{{ d }}</a>\n", ""},
	{"shell jinja", "x.sh", "#!/bin/sh\n{% if x %}\necho\n{% endif %}\n", "Jinja template"},
	{"shell here-document", "x.sh", "cat > f <<'EOF'\n{% if x %}\n{{- .X }}\nEOF\necho '{{.Id}}'\n", ""},
	{"python cookiecutter", "{{cookiecutter.slug}}/setup.py", "import x\nname = '{{ cookiecutter.name }}'\n", "Jinja template"},
	{"python first line", "x.py", "{% if a %}\nimport b\n", "Jinja template"},
	{"python strings", "x.py", "t = '''\n{% if a %}\n{{ .X }}\n'''\ns = f'{{x}}'\n", ""},
	{"javascript strings", "x.js", "const t = `\n{% if a %}\n<% b %>\n`\n", ""},
	{"jsx style", "x.tsx", "<p style={{ a: 1 }} />\n", ""},
	{"ini jinja", "x.ini", "[a]\n{% if b %}\nc = 1\n{% endif %}\n", "Jinja template"},
	{"css", "x.css", "a{b:c}@media x{{a{b:c}}\n", ""},
	{"a template language is itself", "x.j2", "{% if a %}\n", ""},
	{"go text", "x.go", "package x\n\nconst t = `\n{{ .X }}\n`\n", ""},
	{"qt translation", "de.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n", "Qt translation file"},
	{"typescript", "x.ts", "const a = 1\n", ""},
	{"text", "x.txt", "{% if %} {{ x }}\n", ""},
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	for _, tc := range append(yamlTemplates, otherTemplates...) {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := Template(tc.path, Detect(tc.path), []byte(tc.text)); got != tc.want {
				t.Errorf("Template(%q, %q) = %q, want %q", tc.path, tc.text, got, tc.want)
			}
			bom := "\xef\xbb\xbf" + strings.ReplaceAll(tc.text, "\n", "\r\n")
			if got := Template(tc.path, Detect(tc.path), []byte(bom)); got != tc.want {
				t.Errorf("with BOM and CRLF: Template(%q) = %q, want %q", tc.path, got, tc.want)
			}
		})
	}
}

// FuzzTemplate: no text makes the detectors panic, hang or change their input.
func FuzzTemplate(f *testing.F) {
	for _, tc := range append(yamlTemplates, otherTemplates...) {
		f.Add(tc.path, []byte(tc.text))
	}
	f.Fuzz(func(t *testing.T, path string, text []byte) {
		before := string(text)
		for _, id := range []ID{Detect(path), YAML, JSON, TOML, HTML, Markdown, Dockerfile, Shell, "sql", "rst", Go} {
			first := Template(path, id, text)
			if second := Template(path, id, text); first != second {
				t.Errorf("Template(%q) = %q, then %q", text, first, second)
			}
		}
		Generated(path, text)
		Content(text)
		Dialect(path, text)
		Sniff(path, text)
		if string(text) != before {
			t.Errorf("the text was changed")
		}
	})
}
