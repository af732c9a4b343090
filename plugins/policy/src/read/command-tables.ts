/** Programs whose first word after the name says what they do; approving one such word says nothing about the others. */
export const SUBCOMMANDS = new Set([
  'apt', 'apt-get', 'aws', 'az', 'brew', 'bun', 'bundle', 'cargo', 'composer', 'conda', 'deno', 'docker', 'dotnet', 'flutter', 'gcloud', 'gem', 'gh', 'git', 'glab', 'go', 'helm', 'hg', 'kubectl',
  'npm', 'nx', 'pip', 'pip3', 'pipenv', 'pnpm', 'podman', 'poetry', 'rustup', 'svn', 'swift', 'systemctl', 'terraform', 'turbo', 'uv', 'yarn',
]);

/** First two words that need a third to say anything. */
export const DEEPER = new Set([
  'aws', 'az', 'gcloud', 'gh', 'glab', 'bun run', 'cargo nextest', 'composer run-script', 'conda env', 'deno task', 'docker compose', 'docker image', 'docker container', 'docker volume', 'docker network',
  'git remote', 'git stash', 'git worktree', 'git submodule', 'git bisect', 'git config', 'git notes', 'npm run', 'npm run-script', 'nx run', 'pnpm run', 'podman compose', 'turbo run', 'uv pip', 'yarn run',
]);

/** Subcommands that run, fetch or destroy whatever comes after them. */
export const RISKY_SUBCOMMANDS = new Set([
  'apt install', 'apt-get install', 'brew install', 'bun add', 'bun install', 'bundle add', 'cargo add', 'cargo install', 'composer require', 'conda install', 'gem install', 'go get', 'go install', 'npm add', 'npm i', 'npm install',
  'pip install', 'pip3 install', 'pipenv install', 'pnpm add', 'pnpm install', 'poetry add', 'rustup run', 'uv add', 'uv pip', 'yarn add', 'docker compose exec', 'docker compose run', 'podman compose exec', 'podman compose run',
  'helm uninstall', 'terraform apply', 'terraform destroy',
  'apt-get remove', 'apt remove', 'bun x', 'bun eval', 'bundle exec', 'cargo run', 'conda run', 'deno eval', 'deno run', 'docker exec', 'docker run', 'dotnet exec', 'dotnet run', 'gh api', 'gh extension', 'git bisect run',
  'git clean', 'git config', 'git difftool', 'git filter-branch', 'git grep', 'git mergetool', 'git rebase', 'git reset', 'git submodule foreach', 'go generate', 'go run', 'kubectl delete', 'kubectl exec',
  'npm exec', 'npm x', 'pipenv run', 'pnpm dlx', 'pnpm exec', 'podman exec', 'podman run', 'poetry run', 'svn delete', 'swift run', 'uv run', 'uv tool', 'yarn dlx', 'yarn exec',
]);

/** Programs that run others, or what they are given to read. */
export const RUNS_OTHERS: readonly string[] = [
  // Shells and languages.
  'ash', 'bash', 'cmd', 'csh', 'dash', 'fish', 'ksh', 'powershell', 'pwsh', 'sh', 'tcsh', 'zsh', 'awk', 'gawk', 'julia', 'lua', 'mawk', 'node', 'nodejs', 'osascript', 'perl', 'php', 'python', 'python2', 'python3', 'r', 'rscript', 'ruby', 'tclsh', 'ts-node', 'tsx',
  // What runs another command.
  'ansible', 'at', 'batch', 'builtin', 'busybox', 'bunx', 'chroot', 'command', 'coproc', 'crontab', 'doas', 'docker-compose', 'entr', 'env', 'eval', 'exec', 'find', 'fd', 'firejail', 'flock', 'gdb', 'ionice', 'just', 'ltrace',
  'make', 'gmake', 'gradle', 'mvn', 'man', 'nice', 'nix', 'nix-shell', 'nodemon', 'nohup', 'npx', 'nsenter', 'parallel', 'pipx', 'pkexec', 'pnpx', 'rake', 'rg', 'rlwrap', 'runuser', 'screen', 'script', 'setsid', 'source', '.', 'ssh', 'stdbuf', 'strace',
  'su', 'sudo', 'systemd-run', 'task', 'taskset', 'time', 'timeout', 'tmux', 'toybox', 'trap', 'unshare', 'uvx', 'watch', 'watchexec', 'xargs', 'expect', 'ed', 'emacs', 'ex', 'less', 'more', 'nano', 'nvim', 'vi', 'vim', 'view', 'sed', 'tar', 'zip',
];

/** Programs that run what they are given, reach the network with it, or destroy it: only the very same line is approved. */
export const EXACT_ONLY: ReadonlySet<string> = new Set([
  ...RUNS_OTHERS,
  // The network.
  'curl', 'ftp', 'nc', 'ncat', 'netcat', 'rsync', 'scp', 'sftp', 'socat', 'telnet', 'wget',
  // What is gone or changed for good.
  'chgrp', 'chmod', 'chown', 'dd', 'del', 'erase', 'fdisk', 'format', 'install', 'kill', 'killall', 'ln', 'mkfs', 'mount', 'mv', 'pkill', 'rd', 'reboot', 'rm', 'rmdir', 'shred', 'shutdown', 'tee', 'truncate', 'umount', 'unlink', 'cp',
  // What changes how later commands run.
  'alias', 'declare', 'enable', 'export', 'hash', 'set', 'shopt', 'typeset', 'unalias',
]);
