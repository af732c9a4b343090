import {dirname, isAbsolute, join, relative, sep} from 'node:path';

interface Place {
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Folders of a home directory that contain keys, tokens and passwords, or decide which programs run. */
const SECRET = [
  '.ssh',
  '.gnupg',
  '.pki',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gemini',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/gemini',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/gemini',
  '.cache/gemini',
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.terraform.d',
  '.vault',
  'Library/Keychains',
  'Library/Application Support/Google',
  'Library/Application Support/Firefox',
  'AppData/Roaming/gnupg',
  'AppData/Roaming/gcloud',
  'AppData/Local/Google',
  'AppData/Roaming/Mozilla',
  'AppData/Roaming/Microsoft',
];
const SYSTEM: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/System',
    '/Library',
    '/private/etc',
    '/private/var/db',
    '/private/var/root',
    '/etc',
    '/usr',
    '/bin',
    '/sbin',
    '/dev',
    '/cores',
  ],
  win32: ['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
};
const LINUX = [
  '/etc',
  '/root',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/boot',
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/var/lib',
  '/var/log',
  '/var/spool',
  '/var/run',
  '/var/mail',
  '/var/cache',
];

/**
 * Whether a real path may never be added by a file or an editor: the system's, the whole home directory, or one with
 * secrets.
 */
export function isClosed(path: string, {home, platform}: Place): boolean {
  if (dirname(path) === path || isWithin(home, path)) return true;
  const folders = [
    ...SECRET.map((name) => join(home, ...name.split('/'))),
    ...(SYSTEM[platform] ?? LINUX).filter((folder) => !isWithin(home, folder)),
  ];
  return folders.some((folder) => isWithin(path, folder) || isWithin(folder, path));
}

/** Whether a path is a folder or is in it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}
