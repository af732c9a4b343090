import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import maskOutput from './settings/mask-output.js';

/** How much of a conversation requests keep. Sizes are tokens. */
export interface Profile {
  readonly name: 'default' | 'generalist' | 'power-user' | 'stress-test' | 'off';
  /** The newest tool output that is never masked. */
  readonly protect: number;
  /** What must be gained before anything is masked. */
  readonly gain: number;
  /** Whether the newest results are never masked, however long they are. */
  readonly protectLatest: boolean;
  /** The requests between two changes of what was sent before: each change costs the model's cache. */
  readonly every: number;
  /** New output beyond this is shortened from its first request on. */
  readonly distill: number;
  /** Texts in inputs of masked calls beyond this are shortened too. */
  readonly input: number;
  /** The size at which the history is compressed. */
  readonly compressAt?: number;
  /** A summary is written ahead once `aged` tokens are older than the newest `retained`. */
  readonly snapshot?: {readonly retained: number; readonly aged: number};
}

const DEFAULT: Profile = {
  name: 'default',
  protect: 50_000,
  gain: 30_000,
  protectLatest: true,
  every: 20,
  distill: Infinity,
  input: Infinity,
};

const OFF: Profile = {...DEFAULT, name: 'off', protect: Infinity};

const GENERALIST: Profile = {
  ...DEFAULT,
  name: 'generalist',
  ...{distill: 10_000, input: 8000, compressAt: 150_000},
  snapshot: {retained: 40_000, aged: 5000},
};

/** The profiles of Gemini CLI by their keys below `experimental`, the strongest first. */
const PROFILES: readonly (readonly [key: string, profile: Profile])[] = [
  [
    'stressTestProfile',
    {
      ...DEFAULT,
      name: 'stress-test',
      ...{protect: 2000, gain: 1000, every: 2, distill: 1500, input: 500, compressAt: 20_000},
      snapshot: {retained: 4000, aged: 1000},
    },
  ],
  ['powerUserProfile', {...GENERALIST, name: 'power-user', gain: 15_000, input: 1000}],
  ['generalistProfile', GENERALIST],
  ['contextManagement', GENERALIST],
];

/**
 * The profile of the settings. Where a model's room is small, the shares of it count instead of the sizes, unless the
 * settings give them.
 */
export async function readProfile(settings: Settings, compressAt: number): Promise<Profile> {
  if (!(await settings.value(maskOutput))) return OFF;
  const base = await chooseProfile(settings);
  const number = async (key: string, usual: number): Promise<number> => {
    const {value, winner} = await settings.explain(`contextManagement.${key}`);
    const isGiven = winner !== undefined && winner !== 'default' && Number.isFinite(value);
    return isGiven ? Math.max(1, value as number) : usual;
  };
  const scaled = scale(base, compressAt);
  const masks = {
    protect: await number('tools.outputMasking.protectionThresholdTokens', scaled.protect),
    gain: await number('tools.outputMasking.minPrunableThresholdTokens', scaled.gain),
    protectLatest: (await settings.get('contextManagement.tools.outputMasking.protectLatestTurn')) !== false,
  };
  if (base.snapshot === undefined) return {...scaled, ...masks};
  return {
    ...scaled,
    ...masks,
    distill: await number('tools.distillation.maxOutputTokens', scaled.distill),
    compressAt: await number('historyWindow.maxTokens', base.compressAt ?? Infinity),
    snapshot: {...base.snapshot, retained: await number('historyWindow.retainedTokens', base.snapshot.retained)},
  };
}

async function chooseProfile(settings: Settings): Promise<Profile> {
  for (const [key, profile] of PROFILES) if ((await settings.get(`experimental.${key}`)) === true) return profile;
  return DEFAULT;
}

const PROTECTED_SHARE = 0.4;
const GAINED_SHARE = 0.2;

function scale(profile: Profile, compressAt: number): Profile {
  if (compressAt <= 0) return profile;
  return {
    ...profile,
    protect: Math.min(profile.protect, Math.floor(compressAt * PROTECTED_SHARE)),
    gain: Math.min(profile.gain, Math.floor(compressAt * GAINED_SHARE)),
  };
}
