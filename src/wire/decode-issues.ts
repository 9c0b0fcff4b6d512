/** What in a value from outside did not fit, and was left out. */
export interface DecodeIssue {
  /** Where, such as `realm_users[17].role`. */
  readonly path: string;
  readonly reason: string;
}

/** More are counted, not kept: a server that gets a whole list wrong gets it wrong twenty thousand times. */
const mostKept = 20;

/** Collected from the inside out: whoever holds the part in which something was left out puts its own name in front. */
export class DecodeIssues {
  readonly #kept: {path: string; reason: string}[] = [];
  #count = 0;
  #problem = {path: '', reason: ''};

  get count(): number {
    return this.#count;
  }

  get recorded(): readonly DecodeIssue[] {
    return this.#kept;
  }

  /** The last misfit, which nobody has made up for yet. */
  get lastIssue(): DecodeIssue {
    return this.#problem;
  }

  setLastIssue(reason: string): void {
    this.#problem = {path: '', reason};
  }

  /** The misfit concerns all of the part that has this name. */
  prefixLastIssue(name: string | number): void {
    this.#problem.path = joined(name, this.#problem.path);
  }

  /** The last misfit is made up for: the part of this name is left out. */
  recordDropped(name: string | number): void {
    this.#count += 1;
    if (this.#kept.length >= mostKept) return;
    const {path, reason} = this.#problem;
    this.#kept.push({path: joined(name, path), reason});
  }

  /** Everything noted since the count was `since` happened inside the part of this name. */
  prefixRecorded(since: number, name: string | number): void {
    for (let i = since; i < this.#kept.length; i++) {
      const oddity = this.#kept[i];
      if (oddity !== undefined) oddity.path = joined(name, oddity.path);
    }
  }
}

function joined(name: string | number, rest: string): string {
  const own = typeof name === 'number' ? `[${name}]` : name;
  return rest === '' || rest.startsWith('[') ? own + rest : `${own}.${rest}`;
}
