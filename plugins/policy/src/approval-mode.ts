import {KernelError, type ToolCall} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {CheckerProgram} from './checkers/external.js';
import {APPROVAL_PRIORITY, modes, type Mode, type Rule} from './rule.js';

const KEY = 'general.defaultApprovalMode';

/** The value of a setting without what the project says about it. */
export async function valueApart(settings: Settings, key: string): Promise<unknown> {
  const {layers, value} = await settings.explain(key);
  return layers.some(({layer}) => layer === 'workspace') ? settings.getApart(key) : value;
}

/**
 * The programs behind the names of checkers, without the project's. A name that an administrator gives is theirs as a
 * whole.
 */
export async function findCheckerPrograms(settings: Settings): Promise<Readonly<Record<string, CheckerProgram>>> {
  const [all, managed] = [
    await valueApart(settings, 'security.checkers'),
    await settings.getManaged('security.checkers'),
  ];
  return {
    ...(all as Readonly<Record<string, CheckerProgram>> | undefined),
    ...(managed as Readonly<Record<string, CheckerProgram>> | undefined),
  };
}

/**
 * Whether a switch stands on its stricter side, which for most is on; what a project's settings or a flag say can
 * always bring it there.
 */
export async function isSwitchedOn(settings: Settings, key: string, strict = true): Promise<boolean> {
  const {layers} = await settings.explain(key);
  return (
    layers.some(({layer, value}) => (layer === 'workspace' || layer === 'flag') && value === strict) ||
    (await valueApart(settings, key)) === strict
  );
}

/**
 * The mode that settings and flags ask for. A project may ask for a stricter one than `default` only, and only a flag
 * for yolo. Throws KernelError YOLO_DISABLED.
 */
export async function findMode(settings: Settings, warn: (sentence: string) => void): Promise<Mode> {
  const {layers} = await settings.explain(KEY);
  for (const {layer, source = layer, value} of [...layers].reverse()) {
    const mode = modes.find((one) => one === value || (value === 'autoEdit' && one === 'auto_edit'));
    if (!mode) {
      warn(
        `${source} asks for the approval mode ${JSON.stringify(value)}, which there is not; it is one of ` +
          `${modes.join(', ')}.`,
      );
    } else if (mode === 'yolo' && layer !== 'flag') {
      warn(`${source} asks for the approval mode yolo, which only a flag can (--yolo).`);
    } else if (layer === 'workspace' && mode === 'auto_edit') {
      warn(`${source} asks for the approval mode ${mode}, which a project cannot.`);
    } else if (mode === 'plan' && (await settings.get('general.plan.enabled')) === false) {
      warn(`${source} asks for the approval mode plan, which general.plan.enabled has turned off.`);
    } else {
      await refuseYolo(settings, mode);
      return mode;
    }
  }
  return 'default';
}

async function refuseYolo(settings: Settings, mode: Mode): Promise<void> {
  if (mode !== 'yolo' || !(await isSwitchedOn(settings, 'security.disableYoloMode'))) return;
  const sentence = 'The approval mode yolo is turned off by the setting security.disableYoloMode.';
  const hint = 'Start without --yolo, or choose another --approval-mode.';
  throw new KernelError('YOLO_DISABLED', sentence, {hint});
}

/** The stricter of two modes. One that a plugin adds counts as `default`. */
export function tighterMode(one: string, other: string): Mode {
  const [rank, otherRank] = [one, other].map((mode) => modes.indexOf(asMode(mode)));
  return modes[Math.min(rank ?? 0, otherRank ?? 0)] ?? 'plan';
}

/** The mode of a session. Modes that other plugins add ask as the default one does. */
export function modeOf({session}: Pick<ToolCall, 'session'>): Mode {
  return asMode(session.mode);
}

function asMode(mode: string): Mode {
  return modes.find((one) => one === mode) ?? 'default';
}

/**
 * The mode that a running session may change to. A session that another one opened stays as strict as it began.
 * Throws KernelError MODE_UNKNOWN, MODE_TOO_LOOSE or YOLO_DISABLED.
 */
export async function findNextMode(settings: Settings, wanted: string, atMost: string | undefined): Promise<Mode> {
  const mode = modes.find((one) => one === wanted);
  if (!mode)
    throw new KernelError('MODE_UNKNOWN', `There is no approval mode ${JSON.stringify(wanted)}.`, {
      hint: `It is one of ${modes.join(', ')}.`,
    });
  if (atMost !== undefined && tighterMode(mode, atMost) !== mode)
    throw new KernelError(
      'MODE_TOO_LOOSE',
      `This session began in the approval mode ${atMost}, and ${mode} allows more.`,
      {
        hint: 'Change the mode of the conversation that opened it before it opens the next one.',
      },
    );
  await refuseYolo(settings, mode);
  return mode;
}

/** The rules, without kept approvals where the settings do not let them count; these are known by their priority. */
export async function findHolding(settings: Settings, rules: readonly Rule[]): Promise<readonly Rule[]> {
  if (!(await isSwitchedOn(settings, 'security.disableAlwaysAllow'))) return rules;
  return rules.filter(({decision, priority}) => decision !== 'allow' || priority !== APPROVAL_PRIORITY);
}
