export interface CurrentModel {
  readonly chosen: string;
  readonly model: string;
  readonly inputLimit: number;
  readonly tokens: number;
  readonly thoughtLevels: readonly string[];
  readonly thoughtLevel: string;
}
export declare const AUTO = 'auto';
