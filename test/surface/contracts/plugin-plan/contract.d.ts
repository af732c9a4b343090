export interface PlanFile {
  readonly name: string;
  readonly path: string;
  readonly updated: string;
}
export interface ApprovedPlan extends PlanFile {
  readonly approved: string;
  readonly mode: string;
  readonly isChanged: boolean;
}
export type PlanAnswer =
  | {
      readonly outcome: 'approved';
      readonly plan: ApprovedPlan;
      readonly text: string;
    }
  | {
      readonly outcome: 'rejected';
      readonly plan: PlanFile;
      readonly feedback?: string;
    }
  | {
      readonly outcome: 'closed';
      readonly plan: PlanFile;
    };
export interface PlanFolderWish {
  readonly owner: string;
  readonly directory: string;
}
export interface PlanFolderSource {
  list(): Promise<readonly PlanFolderWish[]>;
}
export interface Plans {
  folder(): Promise<string>;
  isInProject(): Promise<boolean>;
  list(): Promise<readonly PlanFile[]>;
  read(name?: string): Promise<{
    readonly plan: PlanFile;
    readonly text: string;
  }>;
  approved(): Promise<ApprovedPlan | undefined>;
  enter(): Promise<{
    readonly mode: string;
    readonly folder: string;
  }>;
  present(
    name: string,
    options: {
      readonly text?: string;
      readonly signal: AbortSignal;
    },
  ): Promise<PlanAnswer>;
  finish(): Promise<boolean>;
  route(): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    plans: Plans;
    [source: `plan-folders:${string}`]: PlanFolderSource;
  }
}
