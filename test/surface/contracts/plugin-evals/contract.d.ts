import type { Compression, InstructionSection, ToolDeclaration } from '@gemini-kernel/plugin-agent/contract';
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
