export { default, loader } from "./admin._index";
