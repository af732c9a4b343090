export type ErrorTable = Readonly<
  Record<
    string,
    {
      readonly when: string;
      readonly exit?: number;
    }
  >
>;
export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly data?: unknown;
  readonly model?: string | undefined;
}
declare abstract class CodedError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: unknown;
  readonly model: string | undefined;
  constructor(code: string, sentence: string, { hint, cause, data, model }?: ErrorDetails);
}
export declare class KernelError extends CodedError {
  readonly name = 'KernelError';
  constructor(code: string, sentence: string, details?: ErrorDetails);
}
export declare class ToolError extends CodedError {
  readonly name = 'ToolError';
  constructor(code: string, sentence: string, details?: ErrorDetails);
}
export declare function isKernelError(value: unknown): value is KernelError;
export declare function isToolError(value: unknown): value is ToolError;
export declare function messageOf(value: unknown): string;
export {};
