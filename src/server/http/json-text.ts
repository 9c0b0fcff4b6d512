/** Members of a success body that are JSON text already. */
export class JsonText {
  /** Without braces; may be empty. */
  readonly members: string;
  constructor(members: string) {
    this.members = members;
  }
}
