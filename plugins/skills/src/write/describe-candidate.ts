import type {SourceFile} from '@gemini-kernel/files/sources';
import type {CandidateSkill} from './install-skills.js';

const MOST_NAMED = 40;

/** What comes with a skill, line by line, for the person who decides about it. */
export function describeCandidate({skill: {head, files}, folder, replaces, entry}: CandidateSkill): readonly string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const scripts = files.filter(isScript).map(({path}) => path);
  const others = files.map(({path}) => path).filter((path) => !scripts.includes(path));
  return [
    `${head.name}: ${head.description.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
    `  from     ${entry.source}${entry.commit === undefined ? '' : ` (commit ${entry.commit})`}`,
    `  to       ${folder}${replaces ? ' (replaces the skill that is there)' : ''}`,
    `  size     ${files.length === 1 ? '1 file' : `${files.length} files`}, ${sizeOf(bytes)}`,
    `  scripts  ${name(scripts)}`,
    `  files    ${name(others)}`,
    ...(head.license === undefined ? [] : [`  license  ${head.license}`]),
  ];
}

/** Whether a file looks like a program: by its mode, its first line, its folder or its ending. */
function isScript({path, bytes, isExecutable}: SourceFile): boolean {
  const hasMark = bytes[0] === 0x23 && bytes[1] === 0x21;
  return (
    isExecutable ||
    hasMark ||
    path.startsWith('scripts/') ||
    /\.(sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|bat|cmd|exe)$/i.test(path)
  );
}

function name(paths: readonly string[]): string {
  if (paths.length === 0) return 'none';
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return `${paths.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
