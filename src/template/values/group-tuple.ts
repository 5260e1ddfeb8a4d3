import { Tuple, type Value } from './value.ts';

/** A group of `groupby`: a pair whose parts also have names. */
export class GroupTuple extends Tuple {
  readonly grouper: Value;
  readonly list: Value[];

  constructor(grouper: Value, list: Value[]) {
    super([grouper, list]);
    this.grouper = grouper;
    this.list = list;
  }

  override get typeName(): string {
    return '_GroupTuple';
  }
}
