import { describe, expect, it } from "vitest";
import { mayDelete, mayManage, maySetFlags } from "./roles.server";

const person = (id: string, role: "customer" | "seller" | "manager" | "admin") => ({
  id,
  isAdmin: role === "admin",
  isManager: role === "manager",
  isSeller: role === "seller",
  isUser: true,
});
const [customer, manager, admin] = [person("c", "customer"), person("m", "manager"), person("a", "admin")];
const [seller, otherSeller] = [person("s", "seller"), person("s2", "seller")];
const [otherManager, otherAdmin] = [person("m2", "manager"), person("a2", "admin")];

describe("roles", () => {
  it("people manage themselves, managers customers, admins everyone", () => {
    expect(mayManage(customer, customer)).toBe(true);
    expect(mayManage(customer, manager)).toBe(false);
    expect(mayManage(manager, customer)).toBe(true);
    expect([mayManage(manager, otherManager), mayManage(manager, admin)]).toEqual([false, false]);
    expect([mayManage(admin, manager), mayManage(admin, otherAdmin)]).toEqual([true, true]);
    expect([mayManage(seller, seller), mayManage(admin, seller)]).toEqual([true, true]);
    for (const other of [customer, otherSeller, manager, admin]) expect(mayManage(seller, other)).toBe(false);
    expect(mayManage(manager, seller)).toBe(false);
  });

  it("allows flags that stay the same", () => {
    expect(maySetFlags(customer, customer, { isAdmin: false, isManager: false, isUser: true })).toBe(true);
    expect(maySetFlags(admin, admin, { isAdmin: true, isUser: true })).toBe(true);
  });

  it("only admins give and take roles; managers switch customers off", () => {
    expect(maySetFlags(manager, customer, { isManager: true })).toBe(false);
    expect(maySetFlags(manager, customer, { isUser: false })).toBe(true);
    expect(maySetFlags(manager, customer, { isSeller: true })).toBe(false);
    expect(maySetFlags(admin, customer, { isAdmin: true })).toBe(true);
    expect(maySetFlags(admin, customer, { isSeller: true })).toBe(true);
    expect(maySetFlags(admin, seller, { isSeller: false, isManager: true })).toBe(true);
    expect(maySetFlags(seller, seller, { isManager: true })).toBe(false);
    expect(maySetFlags(manager, manager, { isSeller: true })).toBe(false);
    expect(maySetFlags(admin, otherAdmin, { isAdmin: false })).toBe(true);
  });

  it("rejects flags of accounts that the actor may not manage", () => {
    for (const target of [otherManager, admin])
      for (const flags of [{ isUser: false }, { isUser: true }, {}])
        expect(maySetFlags(manager, target, flags)).toBe(false);
    expect(maySetFlags(customer, manager, {})).toBe(false);
  });

  it("nobody removes their own admin flag or deactivates themselves", () => {
    for (const who of [customer, manager, admin])
      expect(maySetFlags(who, who, { isUser: false })).toBe(false);
    expect(maySetFlags(admin, admin, { isAdmin: false })).toBe(false);
  });

  it("admins are never deleted, nobody deletes themselves", () => {
    expect(mayDelete(admin, otherAdmin)).toBe(false);
    expect(mayDelete(manager, manager)).toBe(false);
    expect([mayDelete(admin, manager), mayDelete(manager, customer)]).toEqual([true, true]);
    expect(mayDelete(manager, otherManager)).toBe(false);
    expect([mayDelete(manager, seller), mayDelete(seller, customer)]).toEqual([false, false]);
  });
});
