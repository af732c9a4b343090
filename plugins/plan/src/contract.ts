/** A plan: a Markdown file of this session. */
export interface PlanFile {
  /** Its file name, ending in `.md`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** ISO. */
  readonly updated: string;
}

/** The plan that the person approved last in this session. */
export interface ApprovedPlan extends PlanFile {
  /** When it was approved; ISO. */
  readonly approved: string;
  /** The approval mode that it was approved into. */
  readonly mode: string;
  /** Whether the file is no longer what was approved. */
  readonly isChanged: boolean;
}

/** How the person answered a plan. */
export type PlanAnswer =
  /** `text`: the approved text. */
  | {readonly outcome: 'approved'; readonly plan: ApprovedPlan; readonly text: string}
  /** `feedback`: what the person wants changed. */
  | {readonly outcome: 'rejected'; readonly plan: PlanFile; readonly feedback?: string}
  | {readonly outcome: 'closed'; readonly plan: PlanFile};

/** A folder of the project that an extension keeps plans in. JSON. */
export interface PlanFolderWish {
  /** Of the extension. */
  readonly owner: string;
  /** Relative to the project, such as `docs/plans`. */
  readonly directory: string;
}

/**
 * The service `plan-folders:<owner>`: folders that count where no setting names one. The first one that lies in the
 * project counts; the list is kept until the source calls `changed()` of its context.
 */
export interface PlanFolderSource {
  list(): Promise<readonly PlanFolderWish[]>;
}

/** The plans of a session, in a folder that only this service writes to. */
export interface Plans {
  /** The folder; it need not exist yet. */
  folder(): Promise<string>;
  /** Whether the folder is one of the project, where rules about files decide too. */
  isInProject(): Promise<boolean>;
  /** The newest first. */
  list(): Promise<readonly PlanFile[]>;
  /** By name; without one, the approved plan, else the newest. Throws KernelError PLAN_UNKNOWN or PLAN_UNREADABLE. */
  read(name?: string): Promise<{readonly plan: PlanFile; readonly text: string}>;
  approved(): Promise<ApprovedPlan | undefined>;
  /** Changes to plan mode. Throws KernelError PLAN_DISABLED, PLAN_NEEDS_CONVERSATION or the refusal of the mode. */
  enter(): Promise<{readonly mode: string; readonly folder: string}>;
  /**
   * Writes the plan if a text is given, shows it to the person, and changes the mode if it is approved. Without a
   * person, it is approved: only a rule lets such a call come this far. Throws ToolError PLAN_INVALID, and what `read`
   * and `enter` throw.
   */
  present(name: string, options: {readonly text?: string; readonly signal: AbortSignal}): Promise<PlanAnswer>;
  /** Forgets which plan is approved; its file stays. Gives whether there was one. */
  finish(): Promise<boolean>;
  /** Chooses the model of the current mode, as `general.plan.model` says. Does nothing where it is not set. */
  route(): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    plans: Plans;
    [source: `plan-folders:${string}`]: PlanFolderSource;
  }
}
