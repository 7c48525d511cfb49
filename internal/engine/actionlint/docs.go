package actionlint

const (
	docSyntax = "A key, value or section that a workflow cannot have there.\n\n" +
		"GitHub refuses the whole file, which is often noticed only when nothing runs after a push.\n\n" +
		"    jobs:\n      test:\n        runs_on: ubuntu-latest\n\n" +
		"Write the key as the workflow syntax has it; the message lists what is allowed."

	docExpression = "An expression `${{ }}` that does not parse, has the wrong type or names what is not there.\n\n" +
		"A property that does not exist is an empty string at run time, so a typo passes unseen. Text that strangers\n" +
		"control, such as the title of a pull request, must not be put into a script.\n\n" +
		"    run: echo ${{ github.event.issue.titel }}\n\n" +
		"Correct the name; hand untrusted text to a script through `env:`."

	docAction = "A step uses an action in a form it does not have.\n\n" +
		"Inputs that are unknown are ignored with a warning nobody reads, and ones that are required stop the job. Inputs of\n" +
		"well-known actions come from a table of the library, those of actions in the repository from their metadata.\n\n" +
		"    - uses: actions/checkout@v4\n      with:\n        ref_name: main\n\n" +
		"Write owner/repository@ref and the inputs its metadata lists."

	docWorkflowCall = "A job calls a reusable workflow that is not there or takes other inputs.\n\n" +
		"The run ends before its first step. Only workflows of the same repository can be looked at.\n\n" +
		"    jobs:\n      call:\n        uses: ./.github/workflows/gone.yml\n\n" +
		"Name an existing file and give what its `on.workflow_call` asks for."

	docJobNeeds = "`needs` names a job that does not exist, or jobs wait for each other.\n\n" +
		"GitHub refuses the workflow.\n\n" +
		"    jobs:\n      test:\n        needs: [biuld]\n\n" +
		"Name a job of the same workflow and break the circle."

	docMatrix = "An entry of `exclude` matches nothing in the matrix, or a value stands twice.\n\n" +
		"The combination that should have been left out runs, or one runs twice.\n\n" +
		"    matrix:\n      os: [ubuntu-latest]\n      exclude:\n        - os: windows-latest\n\n" +
		"Write the values as they stand in the rows of the matrix."

	docEvents = "A trigger that does not exist, or with filters or types it does not have.\n\n" +
		"The workflow is refused or never starts. Schedules that cron cannot read are found too.\n\n" +
		"    on:\n      pull_request:\n        types: [open]\n\n" +
		"Use the names from the list of events that trigger workflows."

	docGlob = "A pattern for branches, tags or paths that GitHub cannot match.\n\n" +
		"Its patterns are not those of a shell: some characters are not allowed in names of refs, and `./` matches no path.\n\n" +
		"    paths: ['./src/**']\n\n" +
		"Write the pattern as the filter pattern cheat sheet has it."

	docRunnerLabel = "`runs-on` names a runner that GitHub does not have.\n\n" +
		"The job waits for a day and is then cancelled. Labels of own runners must be listed, since they cannot be known.\n\n" +
		"    runs-on: ubuntu-lates\n\n" +
		"Correct the label, or list it: `[lint.yaml.actionlint.rules.runner-label] labels = [\"big-*\"]`."

	docShellName = "`shell` names one that the runner does not have.\n\n" +
		"The step fails, e.g. with PowerShell's `powershell` on Linux.\n\n" +
		"    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n        shell: cmd\n\n" +
		"Use one that the operating system of the runner has, or a template with `{0}`."

	docID = "The id of a job or step stands twice or has characters it cannot have.\n\n" +
		"Ids are compared without regard to case.\n\n" +
		"    steps:\n      - id: build it\n\n" +
		"Use letters, digits, `-` and `_`, and start with a letter or `_`."

	docEnvVar = "A name that no environment variable can have.\n\n" +
		"A name with `&`, `=` or a blank cannot be set, so the step does not see it.\n\n" +
		"    env:\n      FOO=BAR: foo\n\n" +
		"Rename it."

	docPermissions = "A permission, or a level of it, that does not exist.\n\n" +
		"GitHub refuses the workflow, or the token has less rights than meant.\n\n" +
		"    permissions:\n      check: write\n\n" +
		"Use the scopes of GITHUB_TOKEN with `read`, `write` or `none`."

	docCredentials = "The password for a registry stands in the workflow.\n\n" +
		"Everybody who can read the repository has it, for ever.\n\n" +
		"    credentials:\n      username: me\n      password: pass\n\n" +
		"Make it a secret and write `${{ secrets.NAME }}`."

	docDeprecated = "A script prints a workflow command that is switched off or going to be.\n\n" +
		"`set-output`, `save-state`, `set-env` and `add-path` in output could be forged by what a step prints.\n\n" +
		"    run: echo '::set-output name=a::b'\n\n" +
		"Append to the files `$GITHUB_OUTPUT`, `$GITHUB_STATE`, `$GITHUB_ENV` or `$GITHUB_PATH`."

	docIfCond = "A condition that is always true or always false.\n\n" +
		"Text around `${{ }}` makes a non-empty string of the whole, which counts as true whatever the expression says.\n\n" +
		"    if: ${{ github.ref_name == 'main' }} && true\n\n" +
		"Write the whole condition in one expression, or without `${{ }}`."
)
