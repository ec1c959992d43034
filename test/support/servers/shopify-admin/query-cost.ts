import { type DocumentNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';
import { isJson } from './json.ts';

type Variables = Readonly<Record<string, unknown>>;

/** What a query is said to cost before it runs, as Shopify documents it: an object 1, a connection what its page may hold, a mutation 10; scalars and enums nothing. */
export function queryCost({ definitions }: DocumentNode, variables: Variables): number {
  return definitions.reduce((all, definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return all;
    return all + (definition.operation === 'mutation' ? 10 : costOf(definition.selectionSet, variables));
  }, 0);
}

function costOf({ selections }: SelectionSetNode, variables: Variables): number {
  return selections.reduce((all, selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return all + costOf(selection.selectionSet, variables);
    if (selection.kind !== Kind.FIELD || selection.selectionSet === undefined) return all;
    const argument = (name: string) => given(selection.arguments?.find((one) => one.name.value === name)?.value, variables);
    const ids = argument('ids');
    const many = Array.isArray(ids) ? ids.length : Number(argument('first') ?? 1);
    const isPlumbing = ['nodes', 'pageInfo'].includes(selection.name.value) && !Array.isArray(ids);
    return all + many * ((isPlumbing ? 0 : 1) + costOf(selection.selectionSet, variables));
  }, 0);
}

function given(value: ValueNode | undefined, variables: Variables): unknown {
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

/** What its answer cost: the objects that it has. What was requested beyond that is given back. */
export function answerCost(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((all: number, item) => all + answerCost(item), 0);
  if (!isJson(data)) return 0;
  const inner = Object.entries(data).reduce((all, [name, value]) => (name === 'pageInfo' ? all : all + answerCost(value)), 0);
  return inner + ('pageInfo' in data ? 0 : 1);
}
