/**
 * What programs need of a home, read-only: tools, their versions, and caches that hold no secrets. Everything else in a
 * home is hidden: keys, tokens, histories, mail, other projects.
 */
export const HOME_READ: readonly string[] = [
  ...['.gitconfig', '.config/git', '.gitignore_global', '.editorconfig', '.inputrc', '.terminfo'],
  ...['.local/bin', '.local/lib', '.local/share/mise', '.local/share/pnpm', '.local/share/uv', '.local/share/fnm'],
  ...['bin', '.nvm', '.volta', '.fnm', '.nodenv', '.asdf', '.bun/bin', '.deno/bin', '.yarn/bin', '.npm-global'],
  ...['.pyenv', '.virtualenvs', '.rbenv', '.rvm', '.gem', '.sdkman/candidates', '.jenv', '.opam', '.ghcup', '.stack'],
  ...['.rustup', '.cargo/bin', '.cargo/env', '.cargo/registry', '.cargo/git', '.cargo/config.toml', 'go', 'sdk'],
  ...['.m2/repository', '.gradle/caches', '.gradle/wrapper', '.nuget/packages', '.dotnet', '.composer/vendor'],
  ...['.cache/ms-playwright', '.cache/puppeteer', '.cache/pre-commit'],
];

/** Files that only some users can read, and that tell something about all of them. */
export const SYSTEM_MASKED: readonly string[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'],
  ...['/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key', '/etc/ssh/ssh_host_ed25519_key'],
];

/** Parts of /run that programs of some systems are in. */
export const RUN_READ: readonly string[] = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

/** Names at a root of the workspace that other programs obey. */
export const GOVERNING: readonly string[] = ['.gemini', '.vscode', '.idea', '.mcp.json'];
