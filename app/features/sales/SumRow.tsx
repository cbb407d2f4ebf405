import { dollars } from "~/domain/money";

/** Row of a sum in the totals of a form. */
export function SumRow({ title, cents }: { title: string; cents: number }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>{dollars(cents)}</td>
    </tr>
  );
}
