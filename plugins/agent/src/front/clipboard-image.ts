import {spawn} from 'node:child_process';
import type {Environment} from '@gemini-kernel/kernel';

/** A program that prints the image of the clipboard, and how it prints it. */
export interface ImageProgram {
  readonly command: string;
  readonly words: readonly string[];
  readonly prints: 'bytes' | 'base64' | 'applescript';
}

/** Why there is no image; `remote`: the clipboard is on another machine. */
export type NoImage = 'remote' | 'unreadable' | 'absent' | 'too-long';

const PROGRAM_MS = 5000;
const MOST_BYTES = 20 * 1024 * 1024;
/** Hex has two characters for a byte. */
const MOST_PRINTED = 2 * MOST_BYTES + 1000;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const WINDOWS = [
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing',
  '$image = [Windows.Forms.Clipboard]::GetImage()',
  'if ($image) { $bytes = New-Object IO.MemoryStream; $image.Save($bytes, [Drawing.Imaging.ImageFormat]::Png); ' +
    '[Console]::Out.Write([Convert]::ToBase64String($bytes.ToArray())) }',
].join('; ');

/** The programs of this machine that give the image of its clipboard as PNG; none in a remote session. */
export function imagePrograms({
  variables,
  platform,
}: Pick<Environment, 'variables' | 'platform'>): readonly ImageProgram[] {
  if (isRemote(variables)) return [];
  if (platform === 'darwin')
    return [{command: 'osascript', words: ['-e', 'get the clipboard as «class PNGf»'], prints: 'applescript'}];
  if (platform === 'win32') {
    const words = ['-NoProfile', '-NonInteractive', '-STA', '-Command', WINDOWS];
    return [{command: 'powershell.exe', words, prints: 'base64'}];
  }
  return [
    ...(variables['WAYLAND_DISPLAY']
      ? [{command: 'wl-paste', words: ['--no-newline', '--type', 'image/png'], prints: 'bytes' as const}]
      : []),
    ...(variables['DISPLAY']
      ? [{command: 'xclip', words: ['-selection', 'clipboard', '-t', 'image/png', '-o'], prints: 'bytes' as const}]
      : []),
  ];
}

function isRemote(variables: Environment['variables']): boolean {
  return Boolean(variables['SSH_TTY'] || variables['SSH_CONNECTION']);
}

/** The PNG in what a program printed; undefined if it printed no PNG. */
export function readPrinted(printed: Buffer, prints: ImageProgram['prints']): Buffer | undefined {
  const bytes =
    prints === 'bytes'
      ? printed
      : prints === 'base64'
        ? Buffer.from(printed.toString('latin1'), 'base64')
        : Buffer.from(/«data PNGf([0-9A-F]+)»/.exec(printed.toString('utf8'))?.[1] ?? '', 'hex');
  return bytes.subarray(0, PNG.length).equals(PNG) ? bytes : undefined;
}

/** The image on the clipboard, as PNG. */
export async function readClipboardImage(
  environment: Pick<Environment, 'variables' | 'platform'>,
): Promise<Buffer | NoImage> {
  const programs = imagePrograms(environment);
  if (programs.length === 0) return isRemote(environment.variables) ? 'remote' : 'unreadable';
  let found: NoImage = 'unreadable';
  for (const program of programs) {
    const printed = await run(program);
    if (printed === 'too-long') return printed;
    const image = printed && readPrinted(printed, program.prints);
    if (image) return image.length > MOST_BYTES ? 'too-long' : image;
    if (printed) found = 'absent';
  }
  return found;
}

/** What a program printed; undefined if it cannot be started. One that fails has printed nothing that counts. */
function run({command, words}: ImageProgram): Promise<Buffer | 'too-long' | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, words, {stdio: ['ignore', 'pipe', 'ignore'], timeout: PROGRAM_MS, windowsHide: true});
    const chunks: Buffer[] = [];
    let length = 0;
    child.on('error', () => resolve(undefined));
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MOST_PRINTED) return void chunks.push(chunk);
      resolve('too-long');
      child.kill('SIGKILL');
    });
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : Buffer.alloc(0)));
  });
}
