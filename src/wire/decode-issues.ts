/** A part of a value from outside that did not match its schema and was dropped. */
export interface DecodeIssue {
  /** The path of the part, such as `realm_users[17].role`. */
  readonly path: string;
  readonly reason: string;
}

/** Further issues are only counted: a server that gets a list wrong repeats the error for every element. */
const maxRecorded = 20;

/** Collects issues from the inside out: each enclosing object or list prefixes its name to the paths. */
export class DecodeIssues {
  readonly #recorded: {path: string; reason: string}[] = [];
  #count = 0;
  #lastIssue = {path: '', reason: ''};

  get count(): number {
    return this.#count;
  }

  get recorded(): readonly DecodeIssue[] {
    return this.#recorded;
  }

  /** The last mismatch, before it is recorded as a dropped part. */
  get lastIssue(): DecodeIssue {
    return this.#lastIssue;
  }

  setLastIssue(reason: string): void {
    this.#lastIssue = {path: '', reason};
  }

  /** Extends the last issue to the enclosing part with this name. */
  prefixLastIssue(name: string | number): void {
    this.#lastIssue.path = joinPath(name, this.#lastIssue.path);
  }

  /** Records that the part with this name was dropped because of the last issue. */
  recordDropped(name: string | number): void {
    this.#count += 1;
    if (this.#recorded.length >= maxRecorded) return;
    const {path, reason} = this.#lastIssue;
    this.#recorded.push({path: joinPath(name, path), reason});
  }

  /** Prefixes this name to the paths of all issues recorded since the count was `since`. */
  prefixRecorded(since: number, name: string | number): void {
    for (let i = since; i < this.#recorded.length; i++) {
      const issue = this.#recorded[i];
      if (issue !== undefined) issue.path = joinPath(name, issue.path);
    }
  }
}

function joinPath(name: string | number, rest: string): string {
  const segment = typeof name === 'number' ? `[${name}]` : name;
  return rest === '' || rest.startsWith('[') ? segment + rest : `${segment}.${rest}`;
}
