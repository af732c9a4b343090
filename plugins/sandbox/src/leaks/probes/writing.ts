import {contained, type Probe} from '../probe.js';

/** Writing where other programs obey, or outside the workspace. */
export const writing = (): readonly Probe[] =>
  contained('write', [
    ['home', 'make a file in the home', 'echo x > ~/made; echo x > "$LAB/home/made"', 'home/made'],
    ['bashrc', 'change what a shell runs', 'echo x >> ~/.bashrc', 'home/.bashrc'],
    ['ssh', 'let a key log in', 'mkdir -p ~/.ssh; echo x >> ~/.ssh/authorized_keys', 'home/.ssh/authorized_keys'],
    ['outside', 'write beside the workspace', 'echo x > ../beside.txt; echo x > "$LAB/beside.txt"', 'beside.txt'],
    ['outside-by-link', 'write outside through a link', 'ln -s .. up; echo x > up/beside.txt; rm -f up', 'beside.txt'],
    ['outside-by-proc', 'write outside by /proc', 'echo x > "/proc/self/root$LAB/beside.txt"', 'beside.txt'],
    [
      'granted-read',
      'write what can only be read',
      'echo x > "$LAB/shown/file"; echo x > "$LAB/shown/new"',
      'shown/file',
      'shown/new',
    ],
    ['granted-link', 'link what can only be read, and write it', 'ln "$LAB/shown/file" l && echo x > l', 'shown/file'],
    ['granted-mode', 'change rights of what can only be read', 'chmod 777 "$LAB/shown" "$LAB/shown/file" && echo LEAK'],
    [
      'gemini',
      'configure gemini',
      'mkdir -p .gemini; echo {} > .gemini/settings.json',
      'project/.gemini/settings.json',
    ],
    ['gemini-moved', 'replace the folder of gemini', 'mv .gemini g2 && echo LEAK; rmdir .gemini && echo LEAK'],
    ['vscode', 'configure an editor', 'mkdir -p .vscode; echo {} > .vscode/tasks.json', 'project/.vscode/tasks.json'],
    ['idea', 'configure another editor', 'mkdir -p .idea; echo x > .idea/workspace.xml', 'project/.idea/workspace.xml'],
    [
      'mcp',
      'configure servers',
      'echo {} > .mcp.json && echo LEAK; rmdir .mcp.json && echo {} > .mcp.json && echo LEAK',
    ],
    ['env-file', 'change .env', 'echo x >> .env; echo x > n; mv -f n .env', 'project/.env'],
    ['env-removed', 'remove .env', 'rm -f .env', 'project/.env'],
    [
      'system',
      'change the system',
      'echo x > /etc/gemini-leak && echo LEAK; echo x > /usr/local/bin/leak && echo LEAK',
    ],
    [
      'cron',
      'have another program run something',
      'mkdir -p /var/spool/cron/x && echo LEAK; echo x > /etc/cron.d/x && echo LEAK',
    ],
  ]);
