import type {Settings} from '@gemini-kernel/plugin-settings/contract';

export interface Switched {
  readonly name: string;
  readonly enabled: boolean;
  readonly file: string;
}

/** Writes `agents.overrides.<name>.enabled`. */
export async function switchAgent(
  settings: Settings,
  {name, enabled, scope}: Omit<Switched, 'file'> & {readonly scope: 'user' | 'workspace'},
): Promise<Switched> {
  const {path: file} = await settings.set(`agents.overrides.${name}.enabled`, enabled, {
    scope: scope === 'workspace' ? 'project' : 'user',
  });
  return {name, enabled, file};
}
