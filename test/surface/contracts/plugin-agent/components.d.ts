export interface InstructionSection {
  readonly name: string;
  readonly text: string;
}
export interface Compression {
  readonly threshold?: number;
  readonly instruction?: string;
}
