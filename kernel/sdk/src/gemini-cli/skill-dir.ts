/** A folder with skills. */
export interface SkillReference {
  readonly type: 'dir';
  readonly path: string;
}

/** Names a folder of skills for the option `skills`. */
export function skillDir(path: string): SkillReference {
  return {type: 'dir', path};
}
