import type {} from '@gemini-kernel/kernel';
import type {Compression, InstructionSection, ToolDeclaration} from '@gemini-kernel/plugin-agent/contract';

/** What a run of `gemini evals ablate` has in the place of a component. Each gives what it got, or its variant. */
export interface EvalVariant {
  tools(declared: readonly ToolDeclaration[]): Promise<readonly ToolDeclaration[]>;
  instruction(sections: readonly InstructionSection[]): Promise<readonly InstructionSection[]>;
  compression(compression: Compression): Promise<Compression>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'eval-variant': EvalVariant;
  }
}
