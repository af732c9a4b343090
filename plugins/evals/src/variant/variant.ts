import {appendPrivateFile} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {parseComponent, type Component} from './component.js';

/** Another text in the place of a component. */
export interface Variant {
  readonly component: string;
  readonly value: string;
}

/** The variable that tells a run its variant. Only variables of the process count, never those of a file. */
export const VARIANT = 'GEMINI_EVALS_VARIANT';
/** The variable with the file in which a run notes that its variant took the place of the component. */
export const USED = 'GEMINI_EVALS_VARIANT_USED';

/** The variables of a run. Without a variant they are empty, so that none is inherited. */
export function variablesOf(variant: Variant | undefined, used: string): Readonly<Record<string, string>> {
  if (variant === undefined) return {[VARIANT]: '', [USED]: ''};
  const {component, value} = variant;
  return {[VARIANT]: JSON.stringify({component, value}), [USED]: used};
}

/** A variant as a run gets it. */
export interface GivenVariant {
  readonly component: Component;
  readonly value: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The variant of this process. Throws KernelError EVAL_VARIANT_INVALID. */
export function readVariant(variables: Variables): GivenVariant {
  const given = parse(variables[VARIANT] ?? '') as Partial<Variant> | null;
  const component = typeof given?.component === 'string' ? parseComponent(given.component) : undefined;
  if (component === undefined || typeof given?.value !== 'string')
    throw new KernelError('EVAL_VARIANT_INVALID', `The variable ${VARIANT} has no variant.`, {
      hint: 'gemini evals ablate sets it for its runs. Unset it.',
    });
  return {component, value: given.value};
}

/** Notes that the variant took the place of the component once more. */
export async function noteUse(variables: Variables): Promise<void> {
  const file = variables[USED];
  if (file) await appendPrivateFile(file, '.');
}

/** A variant in one line. */
export function describeVariant({component, value}: Variant): string {
  const shown = value.length > 100 ? `${value.slice(0, 100)}… (${value.length} characters)` : value;
  return `${component} = ${JSON.stringify(shown)}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
