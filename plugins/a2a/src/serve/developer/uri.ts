/** The extension in which Gemini CLI describes calls of tools to editors. Its address is its name. */
export const DEVELOPMENT_TOOL =
  'https://github.com/google-gemini/gemini-cli/blob/main/docs/a2a/developer-profile/v0/spec.md';
