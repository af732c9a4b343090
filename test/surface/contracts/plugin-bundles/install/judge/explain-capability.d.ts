export interface ExplainedCapability {
  readonly capability: string;
  readonly allows: string;
  readonly worst: string;
}
export declare function explainCapability(capability: string): ExplainedCapability;
export declare function describeTier(mode: 'required' | 'preferred' | 'off' | undefined): string;
