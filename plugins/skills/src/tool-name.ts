/** The tool that activates a skill. */
export const ACTIVATE = 'activate_skill';
