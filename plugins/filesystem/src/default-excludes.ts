const DIRECTORIES = ['node_modules', '.git', 'bower_components', '.svn', '.hg', '.vscode', '.idea', 'dist', 'build', 'coverage', '__pycache__'];

// Archives, programs, libraries, office documents and compiled code: nothing a model reads as text.
const EXTENSIONS = [
  'zip', 'tar', 'gz', 'bz2', 'xz', 'rar', '7z', 'jar', 'war', 'class',
  'exe', 'dll', 'so', 'dylib', 'bin', 'o', 'a', 'lib', 'dat', 'wasm',
  'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp',
  'pyc', 'pyo', 'db', 'sqlite',
];

/** What read_many_files leaves out unless it is told not to. */
export const defaultExcludes: readonly string[] = [
  ...DIRECTORIES.map((name) => `**/${name}/**`),
  `**/*.{${EXTENSIONS.join(',')}}`,
  '**/.DS_Store',
  '**/.env',
  '**/GEMINI.md',
];
