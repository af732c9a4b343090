/** The input that selects which ignore rules apply. */
export const ignoreOptionsSchema = {
  type: 'object',
  description: 'Which ignore rules to respect. Default: as configured.',
  properties: {
    respect_git_ignore: {type: 'boolean', description: 'Respect .gitignore files.'},
    respect_gemini_ignore: {type: 'boolean', description: 'Respect .geminiignore.'},
  },
} as const;

/** The same in the form of `workspace.ignored`. */
export function ignoreOptions(options: {respect_git_ignore?: boolean; respect_gemini_ignore?: boolean} | undefined): {
  git?: boolean;
  gemini?: boolean;
} {
  const {respect_git_ignore: git, respect_gemini_ignore: gemini} = options ?? {};
  return {...(git === undefined ? {} : {git}), ...(gemini === undefined ? {} : {gemini})};
}
