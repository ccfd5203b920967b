// How many answers have which part in common.

/** How many groups are counted, and how many are shown. */
const MOST_GROUPS = 200_000;
const SHOWN_GROUPS = 16;

/** Numbers of rows by group. */
export class Groups {
  #counts = new Map();
  #rest = 0;

  add(group) {
    const count = this.#counts.get(group);
    if (count === undefined && this.#counts.size >= MOST_GROUPS) this.#rest += 1;
    else this.#counts.set(group, (count ?? 0) + 1);
  }

  /** Returns the largest, and how many groups there are. */
  largest() {
    const sorted = [...this.#counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    return { groups: sorted.slice(0, SHOWN_GROUPS), count: this.#counts.size, rest: this.#rest };
  }
}
