import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {Mode} from '@gemini-kernel/plugin-policy/contract';
import {pluginRoot} from '../helpers/plugin-root.js';

const plugins = ['settings', 'trust', 'workspace', 'filesystem', 'policy'].map(pluginRoot);

/** How writing each of these files is judged. */
async function judge(files: readonly string[], mode: Mode): Promise<readonly string[]> {
  await using kernel = await createTestKernel({plugins, confirm: 'yes', variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}});
  const policy = await kernel.service('policy');
  return await Promise.all(files.map(async (file_path) => `${(await policy.explain(await kernel.session.describe({tool: 'write_file', input: {file_path, content: 'x'}}), {mode, interactive: true})).decision} ${file_path}`));
}

/** Of every kind of tool that runs, or follows, what it finds in a folder. */
const running = [
  '.husky/pre-commit', 'sub/.husky/_/h', '.gitattributes', '.gitmodules', '.pre-commit-config.yaml', 'lefthook.yml', '.lintstagedrc.json', 'commitlint.config.cjs',
  '.github/workflows/ci.yml', '.github/actions/x/action.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', '.travis.yml', 'azure-pipelines.yml', '.drone.yml', '.buildkite/pipeline.yml',
  '.npmrc', 'packages/a/.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn/releases/yarn.cjs', '.pnpmfile.cjs', 'bunfig.toml', '.cargo/config.toml', '.cargo/config', 'rust-toolchain', 'rust-toolchain.toml', 'build.rs', '.mvn/jvm.config', 'gradlew', 'gradle/wrapper/gradle-wrapper.properties',
  'requirements.txt', 'Pipfile', 'tox.ini', 'noxfile.py', 'Gemfile', 'Rakefile', 'composer.json', 'Directory.Build.props', 'a/b.csproj', '.tool-versions', 'mise.toml', '.mise.toml', '.nvmrc', '.python-version', 'flake.nix', 'go.work',
  'jest.config.ts', 'vite.config.mts', 'vitest.config.ts', 'eslint.config.mjs', '.eslintrc.json', 'babel.config.js', '.babelrc', 'webpack.config.js', 'rollup.config.js', 'postcss.config.cjs', 'tailwind.config.ts', 'playwright.config.ts', '.mocharc.yml', '.prettierrc', 'gulpfile.js',
  'conftest.py', 'tests/conftest.py', 'sitecustomize.py', 'site.pth', 'pytest.ini', '.pylintrc', '.rspec', '.gdbinit', 'docker-compose.yml', 'Vagrantfile', 'justfile', 'Taskfile.yml', 'Procfile', 'nodemon.json',
  '.vscode/settings.json', '.idea/workspace.xml', 'x.code-workspace', '.devcontainer/devcontainer.json', '.devcontainer.json', '.gitpod.yml', '.exrc', '.nvim.lua', '.dir-locals.el', '.vimrc', '.bashrc', '.zshrc', '.profile',
  'GEMINI.md', 'src/GEMINI.md', 'CLAUDE.md', 'AGENTS.md', '.cursorrules', '.cursor/rules/a.mdc', '.windsurfrules', '.github/copilot-instructions.md', '.mcp.json', '.claude/settings.json', '.gemini/commands/a.toml', '.gemini/GEMINI.md', '.gemini/agents/x.md', '.agents/skills/x/SKILL.md', '.aider.conf.yml',
];

test('files that tools run or that instruct agents are asked about in auto_edit, in any spelling [authority.running-files]', async () => {
  const spelt = ['.HUSKY/pre-commit', '.Npmrc', 'gemini.md', 'Agents.MD', '.GitHub/Workflows/ci.yml', 'JEST.config.js', '.Gemini/settings.json', '.VSCODE/tasks.json'];
  const all = [...running, ...spelt];
  expect(await judge(all, 'auto_edit')).toEqual(all.map((file) => `ask ${file}`));
});

/** What people edit all day. */
const everyday = [
  'src/index.ts', 'src/app.config.ts', 'src/config/index.ts', 'src/jest-helpers.ts', 'src/components/Button.tsx', 'lib/user.service.ts', 'src/build/index.ts', 'src/workspace.ts', 'README.md', 'CHANGELOG.md', 'docs/agents.txt', 'docs/guide.md', 'notes/gemini-notes.md', 'index.html', 'styles/main.css',
  'app/models/user.rb', 'main.go', 'pkg/server/server_test.go', 'src/main.rs', 'src/lib.rs', 'tests/test_app.py', 'app/views.py', 'src/main/java/App.java', 'include/a.h', 'a.c', 'Program.cs', 'query.sql', 'schema.graphql', 'data.json', 'config.json', 'settings.json', 'locales/en.json', 'fixtures/a.yaml',
  'k8s/deployment.yaml', 'infra/main.tf', '.gitignore', '.geminiignore', '.editorconfig', '.dockerignore', 'LICENSE', 'tsconfig.json', 'src/eslint/rule.ts', 'test/vite.test.ts', 'scripts/deploy.sh', 'bin/tool', 'build', 'src/hooks/useUser.ts', 'src/agents/agent.ts', 'github/workflows.md', 'src/profile.ts', 'husky/a.md',
  '.env.example', '.github/ISSUE_TEMPLATE/bug.md', '.github/CODEOWNERS', 'src/vscode/extension.ts', 'migrations/001.sql', 'notebook.ipynb', 'a.vue', 'a.svelte', 'proto/a.proto', 'tasks.py', 'src/action.ts',
];

test('everyday files are edited without a question in auto_edit [authority.running-files]', async () => {
  expect(await judge(everyday, 'auto_edit')).toEqual(everyday.map((file) => `allow ${file}`));
});
