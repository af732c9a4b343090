import {KernelError} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {CheckerProgram} from './checkers/external.js';
import {modes, type Mode} from './rule.js';

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
      if (mode === 'yolo' && (await isSwitchedOn(settings, 'security.disableYoloMode'))) {
        throw new KernelError(
          'YOLO_DISABLED',
          'The approval mode yolo is turned off by the setting security.disableYoloMode.',
          {hint: 'Start without --yolo, or choose another --approval-mode.'},
        );
      }
      return mode;
    }
  }
  return 'default';
}
